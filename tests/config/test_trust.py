from __future__ import annotations

from pathlib import Path

import pytest

from config_kit import corpus_with, loaded, refused
from memsleep.config import LoadedSettings

REFUSED = [
    pytest.param('[embedder]\npath = "/etc/v.npz"\n', id="absolute"),
    pytest.param('[embedder]\npath = "../v.npz"\n', id="parent"),
    pytest.param('[embedder]\npath = "a/../../v.npz"\n', id="parent-later"),
    pytest.param('[embedder]\npath = "..\\\\v.npz"\n', id="parent-windows"),
    pytest.param('[embedder]\npath = "C:/v.npz"\n', id="drive"),
    pytest.param('[embedder]\npath = "~/v.npz"\n', id="home"),
    pytest.param('[embedder]\npath = "out/v.npz"\n', id="through-a-link"),
    pytest.param('[embedder]\npath = "loop/v.npz"\n', id="through-a-loop"),
    pytest.param('[corpus]\ninclude = ["ok/*.md", "../*.md"]\n', id="include"),
    pytest.param('[corpus]\nexclude = ["/x/**"]\n', id="exclude"),
    pytest.param('[corpus]\nprotected = ["a/.."]\n', id="protected"),
    pytest.param('[corpus]\nscope_folders = ["../*"]\n', id="scope-folders"),
    pytest.param('[sync]\nprovider = "http"\n', id="provider"),
    pytest.param('[sync]\nprovider = "evil:make"\n', id="program"),
    pytest.param('[sync]\nurl = "https://example.org"\n', id="url"),
    pytest.param('[sync]\ntoken_env = "AWS_SECRET_ACCESS_KEY"\n', id="token"),
    pytest.param('[sync]\npath = "inside"\n', id="folder-to-deliver-to"),
    pytest.param("[sync]\nuser = []\n", id="scopes-of-delivery"),
]
ALLOWED = [
    pytest.param('[embedder]\npath = ""\n', id="empty"),
    pytest.param('[embedder]\npath = "vectors/v.npz"\n', id="inside"),
    pytest.param('[embedder]\npath = "..v.npz"\n', id="dots-in-a-name"),
    pytest.param('[embedder]\npath = "a/..b/v.npz"\n', id="dots-in-a-folder"),
    pytest.param('[embedder]\npath = "in/v.npz"\n', id="link-that-stays-inside"),
    pytest.param('[corpus]\ninclude = ["**/*.md", "a..b/*"]\n', id="globs"),
]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    root = tmp_path / "corpus"
    (root / "vectors").mkdir(parents=True)
    (root / "out").symlink_to(tmp_path)
    (root / "in").symlink_to(root / "vectors")
    (root / "loop").symlink_to(root / "loop")
    return root


@pytest.mark.parametrize("text", REFUSED)
def test_a_corpus_may_not_lead_out_of_itself(corpus: Path, text: str) -> None:
    """Whoever can change the corpus must not make memsleep read something else."""
    error = refused(corpus_with(corpus, toml=text))
    assert (error.reference, error.exit_code) == ("untrusted-setting", 2)
    assert error.context[0].startswith("memsleep.toml:2: ")
    assert error.hint is not None
    assert "--config" in error.hint


def given_by(found: LoadedSettings) -> set[str]:
    """Return the layers that gave what is in force, but for the defaults."""
    return {origin.kind for origin in found.origins.values()} - {"default"}


@pytest.mark.parametrize("text", ALLOWED)
def test_a_corpus_may_name_what_lies_in_it(corpus: Path, text: str) -> None:
    """Paths inside the corpus need no trust, and are in force."""
    assert given_by(loaded(corpus_with(corpus, hidden=text))) == {"corpus"}


@pytest.mark.parametrize("text", REFUSED)
def test_the_user_may_lead_anywhere(corpus: Path, tmp_path: Path, text: str) -> None:
    """The same setting in a file that the user names is trusted."""
    own = tmp_path / "own.toml"
    own.write_bytes(text.encode())
    assert given_by(loaded(corpus, config_path=own)) == {"file"}


def test_the_users_layer_takes_the_place_of_what_is_not_trusted(corpus: Path) -> None:
    """A value that is not in force is harmless."""
    corpus_with(corpus, toml='[embedder]\npath = "/etc/v.npz"\n')
    found = loaded(corpus, environ={"MEMSLEEP_EMBEDDER__PATH": "/srv/v.npz"})
    assert found.settings.embedder.path == "/srv/v.npz"


def test_naming_the_corpus_config_trusts_it(corpus: Path) -> None:
    """The corpus's own file, given with --config, is the user's word."""
    corpus_with(corpus, toml='[embedder]\npath = "/etc/v.npz"\n')
    result = loaded(corpus, config_path=corpus / "memsleep.toml")
    assert (
        result.settings.embedder.path,
        result.origins["embedder.path"].kind,
    ) == ("/etc/v.npz", "file")


@pytest.mark.parametrize("target", ["secret.toml", "nowhere.toml"])
def test_a_config_that_is_a_link_out_is_not_read(corpus: Path, tmp_path: Path, target: str) -> None:
    """Its errors would quote a file of somebody else's."""
    (tmp_path / "secret.toml").write_bytes(b"password = 'hunter2'\n")
    (corpus / "memsleep.toml").symlink_to(tmp_path / target)
    error = refused(corpus)
    assert error.reference == "untrusted-config"
    assert "hunter2" not in "\n".join(error.lines())


def test_a_link_out_is_read_when_the_user_names_it(corpus: Path, tmp_path: Path) -> None:
    """Trust is the user's to give."""
    (tmp_path / "shared.toml").write_bytes(b"[decay]\nalpha = 0.2\n")
    (corpus / "memsleep.toml").symlink_to(tmp_path / "shared.toml")
    assert loaded(corpus, config_path=corpus / "memsleep.toml").settings.decay.alpha == 0.2
