"""What is shipped for use: the action's steps as plain shell, hooks, snippets, recipes."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from check_kit import copy_fixture
from corpus_kit import commit, git, init

ROOT = Path(__file__).parents[2]
FAULT = {"mem/b.md": "See [[gone]].\n"}
GH = """\
#!/usr/bin/env python3
# Stands for GitHub: keeps comments and pull requests in a file.
import json, os, sys
path, arguments = os.environ["FAKE_HUB"], sys.argv[1:]
hub = json.load(open(path)) if os.path.exists(path) else {"comments": [], "pulls": []}
if arguments[:2] == ["pr", "create"]:
    options = dict(zip(arguments[2::2], arguments[3::2]))
    options["body"] = open(options["--body-file"]).read()
    assert options["--head"] not in [p["--head"] for p in hub["pulls"]], "there is one already"
    hub["pulls"].append(options)
elif arguments[:2] == ["pr", "list"]:
    found = [n for n, p in enumerate(hub["pulls"], 1) if p["--head"] == arguments[3]]
    print("\\n".join(map(str, found)))
elif arguments[:2] == ["pr", "edit"]:
    hub["pulls"][int(arguments[2]) - 1]["body"] = open(arguments[4]).read()
elif "--jq" in arguments:
    print("\\n".join(str(n) for n, _ in enumerate(hub["comments"])), end="")
else:
    body = open(arguments[-1].removeprefix("body=@")).read()
    if "PATCH" in arguments:
        address = next(a for a in arguments if a.startswith("repos/"))
        hub["comments"][int(address.rpartition("/")[2])] = body
    else:
        hub["comments"].append(body)
json.dump(hub, open(path, "w"))
"""


def _action() -> dict[str, Any]:
    loaded = yaml.safe_load((ROOT / "action.yml").read_bytes())
    assert isinstance(loaded, dict)
    return loaded


def _schema(name: str) -> Any:
    place = files("check_jsonschema").joinpath("builtin_schemas", "vendor", f"{name}.json")
    return json.loads(place.read_bytes())


def _script(path: Path, text: str) -> None:
    path.write_bytes(text.encode())
    path.chmod(0o755)


class Runner:
    """Runs `run:` steps as a hosted runner would: bash, files for outputs, inputs as variables."""

    def __init__(self, work: Path, scratch: Path, **inputs: str) -> None:
        self.work, self.scratch = work, scratch
        self.inputs = dict.fromkeys(_action()["inputs"], "") | inputs
        self.tools = scratch / "bin"
        self.tools.mkdir(parents=True)
        quoted = shlex.quote(sys.executable)
        _script(self.tools / "memsleep", f'#!/bin/sh\nexec {quoted} -m memsleep "$@"\n')
        _script(self.tools / "gh", GH.replace("/usr/bin/env python3", sys.executable))
        pip = '#!/bin/sh\ncase "$*" in *"-m pip install"*) echo "$@" >> "$RUNNER_TEMP/pip";; esac\n'
        _script(self.tools / "python3", pip)

    @property
    def hub(self) -> dict[str, list[Any]]:
        """What the stand-in for GitHub holds."""
        path = self.scratch / "hub.json"
        held: dict[str, list[Any]] = json.loads(path.read_bytes()) if path.exists() else {}
        return {"comments": [], "pulls": [], **held}

    def run(self, script: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
        """Run one script."""
        environment = {
            "PATH": f"{self.tools}:{os.environ['PATH']}",
            "HOME": str(self.scratch),
            "PYTHONPATH": str(ROOT / "src"),
            "RUNNER_TEMP": str(self.scratch),
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_OUTPUT": str(self.scratch / "output"),
            "GITHUB_STEP_SUMMARY": str(self.scratch / "summary"),
            "GITHUB_REPOSITORY": "owner/memories",
            "FAKE_HUB": str(self.scratch / "hub.json"),
            **variables,
        }
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        return subprocess.run(
            command, cwd=self.work, env=environment, capture_output=True, check=False
        )

    def outputs(self) -> dict[str, str]:
        """Return what the steps have put out."""
        path = self.scratch / "output"
        lines = path.read_bytes().decode().split("\n") if path.exists() else []
        return dict(line.split("=", 1) for line in lines if line)

    def steps(self) -> tuple[int, bytes]:
        """Run every step with a script; return the last exit code and what was printed."""
        printed, code = b"", 0
        for step in _action()["runs"]["steps"]:
            if "run" not in step:
                continue
            variables = {k: self._value(str(v)) for k, v in step.get("env", {}).items()}
            done = self.run(step["run"], **variables)
            printed += done.stdout
            code = done.returncode
            if code and not step.get("continue-on-error"):
                break
        return code, printed

    def _value(self, expression: str) -> str:
        known = {f"inputs.{name}": value for name, value in self.inputs.items()}
        known |= {f"steps.check.outputs.{k}": v for k, v in self.outputs().items()}
        known["github.event.pull_request.number"] = "7"
        return re.sub(r"\$\{\{ *(.*?) *\}\}", lambda match: known[match[1]], expression)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a corpus in a folder, and a change that brings a fault."""
    root = init(tmp_path / "repo")
    commit(root, {"mem/a.md": "All is well. See [[old]].\n"})
    git(root, "branch", "base")
    commit(root, FAULT)
    return root


def test_the_action_keeps_its_schema() -> None:
    """GitHub's own schema of actions accepts it."""
    jsonschema.validate(_action(), _schema("github-actions"))


def test_no_input_is_pasted_into_a_script() -> None:
    """Expressions stand in `env`, never in a script: names and titles are somebody else's."""
    for step in _action()["runs"]["steps"]:
        assert "${{" not in step.get("run", "")


def test_the_steps_of_a_pull_request(repository: Path, tmp_path: Path) -> None:
    """Annotated, summarised, commented once, failed; then mended, the comment replaced, passed."""
    runner = Runner(repository, tmp_path / "run", corpus="mem", base="base", comment="true")
    code, printed = runner.steps()
    assert code == 1
    assert printed.startswith(b"::warning file=mem/b.md,line=1,endLine=1,col=7,")
    assert printed.count(b"\n") == 1, "what was there before is not told"
    assert b"MS201" in (tmp_path / "run" / "summary").read_bytes()
    log = json.loads(Path(runner.outputs()["sarif-file"]).read_bytes())
    uri = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert uri["uri"] == "mem/b.md"
    (comment,) = runner.hub["comments"]
    assert comment.startswith("<!-- memsleep-check -->")
    commit(repository, {"mem/b.md": "Mended.\n"})
    code, printed = runner.steps()
    assert (code, printed) == (0, b"")
    (comment,) = runner.hub["comments"]
    assert "no findings" in comment
    assert "-m pip install" in (tmp_path / "run" / "pip").read_bytes().decode()


def test_the_steps_in_a_shallow_clone(repository: Path, tmp_path: Path) -> None:
    """The history that the merge base needs is fetched."""
    base = git(repository, "rev-parse", "base").decode().strip()
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{repository}", clone)
    runner = Runner(clone, tmp_path / "run", corpus="mem", base=base)
    code, printed = runner.steps()
    assert (code, printed.count(b"::warning")) == (1, 1)


def test_the_steps_without_a_base_and_with_a_bad_one(repository: Path, tmp_path: Path) -> None:
    """A push is checked whole; what cannot be checked fails with its own code."""
    runner = Runner(repository, tmp_path / "run", corpus="mem", **{"fail-on": "error"})
    assert runner.steps()[0] == 0
    bad = Runner(repository, tmp_path / "bad", corpus="mem", base="--upload-pack=touch x")
    assert bad.steps()[0] == 2
    assert bad.outputs()["code"] == "2"
    assert not bad.hub["comments"]


def test_findings_are_uploaded_whenever_there_are_any(repository: Path, tmp_path: Path) -> None:
    """The upload hangs on an output: `hashFiles` sees no file outside the checkout, as this is."""
    (upload,) = (s for s in _action()["runs"]["steps"] if "sarif" in s.get("uses", ""))
    assert upload["if"] == "inputs.sarif == 'true' && steps.check.outputs.sarif-file != ''"
    assert upload["with"]["sarif_file"] == "${{ steps.check.outputs.sarif-file }}"
    for base, there in (("base", True), ("no-such-commit", False)):
        runner = Runner(repository, tmp_path / base, corpus="mem", base=base)
        runner.steps()
        path = runner.outputs().get("sarif-file", "")
        assert (path != "" and Path(path).is_file()) is there


def test_the_hooks_can_be_run(repository: Path, tmp_path: Path) -> None:
    """Each entry of the manifest is a command line of ours, run as it stands."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_bytes())
    assert [hook["id"] for hook in hooks] == ["memsleep-check", "memsleep-check-all"]
    runner = Runner(repository, tmp_path / "run")
    (repository / "mem" / "c.md").write_bytes(b"See [[lost]].\n")
    git(repository, "add", "mem/c.md")
    found = [runner.run(hook["entry"]) for hook in hooks]
    assert [done.returncode for done in found] == [1, 1]
    assert [done.stdout.count(b"MS201") for done in found] == [1, 3]
    for hook in hooks:
        assert hook["language"] == "python"
        assert hook["pass_filenames"] is False


def test_a_commit_that_only_deletes_is_checked(repository: Path, tmp_path: Path) -> None:
    """It passes no file to any hook, so that every hook runs always; its links are told."""
    commit(repository, {"mem/d.md": "See [[a]].\n"})
    git(repository, "rm", "--quiet", "mem/a.md")
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_bytes())
    assert all(hook["always_run"] is True for hook in hooks)
    done = Runner(repository, tmp_path / "run").run(hooks[0]["entry"])
    assert (done.returncode, done.stdout.count(b"MS201")) == (1, 1)
    assert done.stdout.startswith(b"mem/d.md:1:7: ")


# The snippets of docs/ci.md -----------------------------------------------------------------------


def _snippets() -> dict[str, Any]:
    text = (ROOT / "docs" / "ci.md").read_bytes().decode()
    found = re.findall(r"```yaml\n# (\S+)\n(.*?)```", text, re.DOTALL)
    return {name: yaml.load(body, yaml.BaseLoader) for name, body in found}


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        (".github/workflows/memories.yml", "github-workflows"),
        (".github/workflows/sleep.yml", "github-workflows"),
        (".gitlab-ci.yml", "gitlab-ci"),
    ],
)
def test_snippets_keep_their_schemas(name: str, schema: str) -> None:
    """The schemas that others use accept them."""
    text = (ROOT / "docs" / "ci.md").read_bytes().decode()
    body = text[text.index(f"# {name}\n") :].partition("```")[0]
    loaded = yaml.safe_load(body)
    if True in loaded:
        loaded["on"] = loaded.pop(True)  # YAML 1.1 takes `on` for true
    jsonschema.validate(loaded, _schema(schema))


def test_the_inputs_of_the_snippet_exist() -> None:
    """The workflow of the page uses inputs that the action has."""
    steps = _snippets()[".github/workflows/memories.yml"]["jobs"]["check"]["steps"]
    assert set(steps[-1]["with"]) <= set(_action()["inputs"])


def test_the_gitlab_script_runs(repository: Path, tmp_path: Path) -> None:
    """Its check is run as it stands, writes the report that it names, and trusts no cache."""
    job = _snippets()[".gitlab-ci.yml"]["memories"]
    script = job["script"][1]
    assert "--no-cache" in script, "a cache in the checkout could be a merge request's own"
    assert "cache" not in job
    runner = Runner(repository / "mem", tmp_path / "run")
    done = runner.run(script, CI_MERGE_REQUEST_DIFF_BASE_SHA="base")
    assert done.returncode == 1
    assert b"<testsuites" in (repository / "mem" / "memsleep.xml").read_bytes()


def test_the_nightly_job_opens_a_pull_request(tmp_path: Path) -> None:
    """The night's diff is pushed as a branch; the report is the body."""
    remote = tmp_path / "remote.git"
    git(tmp_path, "init", "--quiet", "--bare", str(remote))
    root = copy_fixture("markdown-vault", tmp_path)
    init(root)
    git(root, "config", "core.precomposeUnicode", "false")
    commit(root)
    git(root, "remote", "add", "origin", str(remote))
    steps = _snippets()[".github/workflows/sleep.yml"]["jobs"]["night"]["steps"]
    runner = Runner(root, tmp_path / "run")
    done = runner.run(steps[-1]["run"], CORPUS=".")
    assert done.returncode == 0, done.stderr.decode()
    (pull,) = runner.hub["pulls"]
    assert re.fullmatch(r"sleep/\d{4}-\d\d-\d\d", pull["--head"])
    assert pull["--base"] == "main"
    assert "merge" in pull["body"].lower()
    assert "summary of the job" not in pull["body"]
    git(root, "checkout", "--quiet", "main")
    git(root, "branch", "--quiet", "-D", pull["--head"])
    fill = 'memsleep() { command memsleep "$@"; seq 20000 >> "$5/report.md"; }'
    done = runner.run(f"{fill}\n{steps[-1]['run']}", CORPUS=".")
    assert done.returncode == 0, done.stderr.decode()
    (pull,) = runner.hub["pulls"]
    assert pull["body"].startswith("The rest of this report stands in the summary of the job.")
    assert 50_000 < len(pull["body"]) < 65_536
    assert len((tmp_path / "run" / "summary").read_bytes()) > 100_000
    pushed = git(remote, "log", "--format=%s", pull["--head"]).decode().split("\n")
    assert pushed[0].startswith("memsleep: the night of ")
    assert git(root, "status", "--porcelain") == b""


def test_the_adoption_commands_run(repository: Path, tmp_path: Path) -> None:
    """The commands of the page, as they are printed."""
    text = (ROOT / "docs" / "ci.md").read_bytes().decode()
    block = text[text.index("## Adopting") :].partition("```console\n")[2].partition("```")[0]
    runner = Runner(repository, tmp_path / "run")
    (repository / "mem").rename(repository / "memories")
    for line in block.strip().split("\n"):
        assert runner.run(line.removeprefix("$ ")).returncode in (0, 1), line
    assert runner.run("memsleep check memories").returncode == 0
