from __future__ import annotations

from pathlib import Path

import pytest

from config_kit import corpus_with, loaded, refused
from memsleep.config import Option

WRONG = [
    pytest.param(
        "[decay]\n\nhalf_life = 180\n",
        "unknown-setting",
        ["memsleep.toml:3: [decay] half_life = 180", "settings of [decay]: clock, alpha, floor"],
        None,
        id="unknown-key",
    ),
    pytest.param(
        "[decay]\nalpa = 0.1\n",
        "unknown-setting",
        ["memsleep.toml:2: [decay] alpa = 0.1"],
        "did you mean alpha?",
        id="misspelt-key",
    ),
    pytest.param(
        "decay.'al pha' = 1\n",
        "unknown-setting",
        ["memsleep.toml:1: [decay] 'al pha' = 1"],
        "did you mean alpha?",
        id="quoted-key",
    ),
    pytest.param(
        "[decay]\ngrace_days = 3\n",
        "unknown-setting",
        ["memsleep.toml:2: [decay] grace_days = 3"],
        "grace_days belongs to [triage]",
        id="key-of-another-section",
    ),
    pytest.param(
        "# here\n[dekay]\nalpha = 0.1\n",
        "unknown-section",
        ["memsleep.toml:2: [dekay]", "sections: corpus, run, embedder"],
        "did you mean [decay]?",
        id="unknown-section",
    ),
    pytest.param(
        "alpha = 0.1\n",
        "unknown-section",
        ["memsleep.toml:1: alpha = 0.1"],
        "alpha belongs to [decay]",
        id="no-section",
    ),
    pytest.param(
        "decay = 3\n", "bad-setting", ["memsleep.toml:1: decay = 3"], None, id="section-is-a-value"
    ),
    pytest.param(
        "[[decay]]\nalpha = 0.1\n",
        "bad-setting",
        ["memsleep.toml:1: decay = [{'alpha': 0.1}]"],
        None,
        id="section-is-a-list",
    ),
    pytest.param(
        "[decay]\nalpha = 1.5\n",
        "bad-setting",
        ["memsleep.toml:2: [decay] alpha = 1.5"],
        "leave it out for the default 0.1",
        id="out-of-range",
    ),
    pytest.param(
        "decay = {alpha = nan}\n",
        "bad-setting",
        ["memsleep.toml:1: [decay] alpha = nan"],
        "leave it out for the default 0.1",
        id="not-a-number",
    ),
    pytest.param(
        "[reprieve]\nfloor = inf\n",
        "bad-setting",
        ["memsleep.toml:2: [reprieve] floor = inf"],
        "leave it out for the default 0.5",
        id="infinite",
    ),
    pytest.param(
        '[decay]\nalpha = "0.1"\n',
        "bad-setting",
        ["memsleep.toml:2: [decay] alpha = '0.1'"],
        "leave it out for the default 0.1",
        id="text-for-a-number",
    ),
    pytest.param(
        "[triage]\ngrace_days = 1.0\n",
        "bad-setting",
        ["memsleep.toml:2: [triage] grace_days = 1.0"],
        "leave it out for the default 14",
        id="fraction-for-a-whole-number",
    ),
    pytest.param(
        "[corpus]\nallow_empty = 1\n",
        "bad-setting",
        ["memsleep.toml:2: [corpus] allow_empty = 1"],
        "leave it out for the default False",
        id="number-for-a-switch",
    ),
    pytest.param(
        "[dedup]\nmax_merges = true\n",
        "bad-setting",
        ["memsleep.toml:2: [dedup] max_merges = True"],
        "leave it out for the default 100",
        id="switch-for-a-number",
    ),
    pytest.param(
        '[corpus]\nexclude = [\n  "a",\n  3,\n]\n',
        "bad-setting",
        ["memsleep.toml:2: [corpus] exclude = ['a', 3]"],
        "leave it out for the default []",
        id="item-of-a-list",
    ),
    pytest.param(
        '[corpus]\nexclude = "a"\n',
        "bad-setting",
        ["memsleep.toml:2: [corpus] exclude = 'a'"],
        "leave it out for the default []",
        id="text-for-a-list",
    ),
    pytest.param(
        "[decay.alpha]\nx = 1\n",
        "bad-setting",
        ["memsleep.toml:1: [decay] alpha = {'x': 1}"],
        "leave it out for the default 0.1",
        id="table-for-a-number",
    ),
    pytest.param(
        '[run]\nprofile = "carefull"\n',
        "bad-setting",
        ["memsleep.toml:2: [run] profile = 'carefull'"],
        'did you mean "careful"?',
        id="misspelt-choice",
    ),
    pytest.param(
        '[run]\nphases = ["dedup"]\n',
        "bad-phase-order",
        ["memsleep.toml:2: [run] phases = ['dedup']"],
        "`memsleep phases` lists the phases with what each needs before it",
        id="phase-without-what-it-needs",
    ),
    pytest.param(
        '[run]\nview = "start"\nphases = ["decay", "decay"]\n',
        "bad-phase-order",
        ["memsleep.toml:3: [run] phases = ['decay', 'decay']"],
        "`memsleep phases` lists the phases with what each needs before it",
        id="phase-twice",
    ),
    pytest.param("[decay]\nalpha = \n", "bad-toml", ["memsleep.toml:2"], None, id="no-value"),
    pytest.param(
        "[decay]\nalpha = 1\nalpha = 2\n", "bad-toml", ["memsleep.toml:3"], None, id="key-twice"
    ),
    pytest.param(
        '[decay]\nx = """\n\n', "bad-toml", ["memsleep.toml:2"], None, id="string-without-end"
    ),
    pytest.param("a = " + "[" * 5000, "bad-toml", ["memsleep.toml"], None, id="nests-too-deeply"),
]


@pytest.mark.parametrize(("text", "reference", "context", "hint"), WRONG)
def test_a_mistake_is_named_with_its_place(
    tmp_path: Path, text: str, reference: str, context: list[str], hint: str | None
) -> None:
    """File, line, the offending value, what there is instead, and the nearest name."""
    error = refused(corpus_with(tmp_path, toml=text))
    assert (reference, 2) == (error.reference, error.exit_code)
    for line, start in zip(error.context, context, strict=False):
        assert line.startswith(start)
    assert len(context) <= len(error.context)
    if reference != "bad-toml":
        assert hint == error.hint


EXPECTATIONS = [
    ("decay.alpha = 2", "expected a number from 0 to 1, found 2"),
    ("graph.damping = 1.0", "expected a number from 0 to below 1, found 1.0"),
    ("graph.max_sweeps = 0", "expected a whole number from 1 to 100000, found 0"),
    ("dedup.max_copies = 1", "expected a whole number of at least 2, found 1"),
    ("run.view = 'x'", 'expected one of "folded", "start", found \'x\''),
    ("embedder.path = 1", "expected a string, found 1"),
    ("write.mark_keeper = 'yes'", "expected true or false, found 'yes'"),
    ("pairing.mined_floor = 2", 'expected a number from -1 to 1, or "embedder", found 2'),
    ("decay.write_at = [2]", "expected a list, each a number from 0 to 1, found [2]"),
    ("decay.never = '" + "x" * 200 + "'", "expected a list, each a string, found '" + "x" * 76),
]


@pytest.mark.parametrize(("text", "message"), EXPECTATIONS)
def test_an_error_says_what_is_expected(tmp_path: Path, text: str, message: str) -> None:
    """The range or the choices, in words, and the value that was found."""
    assert message in refused(corpus_with(tmp_path, toml=text)).message


def test_all_mistakes_of_all_layers_are_listed(tmp_path: Path) -> None:
    """One start shows everything that has to be mended."""
    corpus_with(tmp_path, toml="[decay]\nalpha = 2\nalpa = 1\n[runn]\nx = 1\n")
    own = tmp_path / "own.toml"
    own.write_bytes(b"[graph]\ndamping = 2\n")
    error = refused(
        tmp_path,
        config_path=own,
        environ={"MEMSLEEP_RUN__VIEW": "sideways", "MEMSLEEP_RUN_PHASES": "[]"},
        options=(Option("run.profile", "wild", "--profile"),),
    )
    assert (error.reference, error.message) == ("bad-config", "7 settings cannot be used")
    places = [line.split(": ")[0] for line in error.context if not line.startswith("  ")]
    assert [
        "MEMSLEEP_RUN_PHASES='[]'",
        "memsleep.toml:3",
        "memsleep.toml:2",
        "memsleep.toml:4",
        f"{own}:2",
        "MEMSLEEP_RUN__VIEW='sideways'",
        "--profile 'wild'",
    ] == places
    assert "  did you mean alpha?" in error.context


def test_mistakes_of_one_sort_keep_their_reference(tmp_path: Path) -> None:
    """The reference is only general where the mistakes differ."""
    error = refused(corpus_with(tmp_path, toml="[decay]\nalpha = 2\nfloor = 2\n"))
    assert (error.reference, error.message) == ("bad-setting", "2 settings cannot be used")


def test_a_mistake_counts_although_a_later_layer_overrides_it(tmp_path: Path) -> None:
    """A wrong file is wrong, whatever an option says tonight."""
    corpus_with(tmp_path, toml="[decay]\nalpha = 2\n")
    assert refused(tmp_path, environ={"MEMSLEEP_DECAY__ALPHA": "0.1"}).reference == "bad-setting"


@pytest.mark.parametrize("text", ["", "\n", "# nothing\n", "[decay]\n", "decay = {}\n"])
def test_a_config_without_settings_is_fine(tmp_path: Path, text: str) -> None:
    """Neither an empty file nor an empty section is a mistake."""
    assert loaded(tmp_path) == loaded(corpus_with(tmp_path, toml=text))


def test_bytes_that_are_no_text_are_named_with_their_line(tmp_path: Path) -> None:
    """A config is UTF-8."""
    (tmp_path / "memsleep.toml").write_bytes(b"[decay]\n# caf\xe9\n")
    error = refused(tmp_path)
    assert (error.reference, error.context) == ("bad-encoding", ("memsleep.toml:2",))
    assert "0xe9" in error.message


def test_a_config_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A config that the user names must exist."""
    error = refused(tmp_path, config_path=tmp_path / "no.toml")
    assert ("config-not-found", (str(tmp_path / "no.toml"),)) == (error.reference, error.context)


def test_a_loop_of_links_is_no_config(tmp_path: Path) -> None:
    """Neither the user's nor the corpus's."""
    (tmp_path / "loop.toml").symlink_to(tmp_path / "loop.toml")
    corpus_with(tmp_path, toml="")
    assert refused(tmp_path, config_path=tmp_path / "loop.toml").reference == "config-unreadable"
    (tmp_path / "memsleep.toml").unlink()
    (tmp_path / "memsleep.toml").symlink_to("memsleep.toml")
    assert refused(tmp_path).reference == "untrusted-config"


def test_a_folder_and_a_huge_file_are_no_config(tmp_path: Path) -> None:
    """What cannot be a config is not read."""
    assert refused(tmp_path, config_path=tmp_path).reference == "config-unreadable"
    (tmp_path / "memsleep.toml").write_bytes(b"#" * 1_000_001)
    assert refused(tmp_path).reference == "config-unreadable"
    (tmp_path / "memsleep.toml").write_bytes(b"#" * 1_000_000)
    loaded(tmp_path)
