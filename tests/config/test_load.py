from __future__ import annotations

from pathlib import Path

import pytest

from config_kit import corpus_with, loaded, refused
from memsleep.config import Option, Origin
from memsleep.settings import PROFILES, REFERENCE_ORDER, Settings

PROFILE_NAMED_IN = [
    pytest.param('run.profile = "reference"\n', "", {}, (), id="corpus"),
    pytest.param("", 'run.profile = "reference"\n', {}, (), id="file"),
    pytest.param("", "", {"MEMSLEEP_RUN__PROFILE": "reference"}, (), id="environment"),
    pytest.param("", "", {}, (Option("run.profile", "reference", "--profile"),), id="option"),
]


def test_without_any_layer_the_defaults_hold(tmp_path: Path) -> None:
    """Every setting is its default, and its origin says so."""
    result = loaded(tmp_path)
    assert Settings() == result.settings
    assert {Origin("default")} == set(result.origins.values())


def test_origins_name_every_setting_once(tmp_path: Path) -> None:
    """The origins have the keys of the models, in their order."""
    keys = [
        f"{section}.{key}" for section, table in Settings().model_dump().items() for key in table
    ]
    assert keys == list(loaded(tmp_path).origins)


def test_each_layer_wins_over_those_before_it(tmp_path: Path) -> None:
    """Defaults, profile, corpus, file, environment, options: the last that speaks counts."""
    corpus_with(
        tmp_path, toml="[graph]\nmax_iterations = 2\nmax_sweeps = 2\nmin_community_size = 2\n"
    )
    own = tmp_path / "own.toml"
    own.write_bytes(b"[graph]\nmax_sweeps = 3\n\nmin_community_size = 3\n[decay]\nalpha = 0.3\n")
    environ = {"MEMSLEEP_GRAPH__MIN_COMMUNITY_SIZE": "4", "MEMSLEEP_DECAY__ALPHA": "0.4"}
    options = (
        Option("decay.alpha", 0.5, "--alpha"),
        Option("run.profile", "reference", "--profile"),
    )
    result = loaded(tmp_path, config_path=own, environ=environ, options=options)
    graph = result.settings.graph
    values = (graph.damping, graph.tolerance, graph.max_iterations, graph.max_sweeps)
    assert values == (0.85, 1e-6, 2, 3)
    assert (graph.min_community_size, result.settings.decay.alpha) == (4, 0.5)
    asked = ("damping", "tolerance", "max_iterations", "max_sweeps", "min_community_size")
    assert [
        Origin("default"),
        Origin("profile", "reference"),
        Origin("corpus", "memsleep.toml:2"),
        Origin("file", f"{own}:2"),
        Origin("environment", "MEMSLEEP_GRAPH__MIN_COMMUNITY_SIZE"),
    ] == [result.origins[f"graph.{key}"] for key in asked]
    assert Origin("option", "--alpha") == result.origins["decay.alpha"]


@pytest.mark.parametrize(("corpus", "own", "environ", "options"), PROFILE_NAMED_IN)
def test_a_profile_lies_under_the_users_values_whoever_names_it(
    tmp_path: Path, corpus: str, own: str, environ: dict[str, str], options: tuple[Option, ...]
) -> None:
    """The corpus's own value stands, although a later layer brings the profile."""
    corpus_with(tmp_path, toml=corpus + "[triage]\ngrace_days = 3\n")
    path = tmp_path / "own.toml"
    path.write_bytes(own.encode())
    settings = loaded(tmp_path, config_path=path, environ=environ, options=options).settings
    assert (settings.triage.grace_days, settings.triage.apply) == (3, "always")
    assert (settings.run.profile, settings.run.phases) == ("reference", REFERENCE_ORDER)


@pytest.mark.parametrize("name", PROFILES)
def test_every_profile_is_valid_by_itself(tmp_path: Path, name: str) -> None:
    """A profile's values are known settings within their ranges."""
    result = loaded(tmp_path, options=(Option("run.profile", name, "--profile"),))
    for section, table in PROFILES[name].items():
        for key, value in table.items():
            assert value == getattr(getattr(result.settings, section), key)


def test_a_later_profile_takes_back_an_earlier_one(tmp_path: Path) -> None:
    """Nothing of the corpus's profile is left when an option names the other."""
    corpus_with(tmp_path, toml='[run]\nprofile = "reference"\n')
    options = (Option("run.profile", "careful", "--profile"),)
    assert Settings() == loaded(tmp_path, options=options).settings


@pytest.mark.parametrize("kind", ["toml", "hidden"])
def test_a_corpus_may_keep_its_config_in_either_place(tmp_path: Path, kind: str) -> None:
    """Both names are read, and the origin says which it was."""
    corpus_with(tmp_path, **{kind: "\ufeff[decay]\r\nalpha = 0.2\r\n"})
    result = loaded(tmp_path)
    name = "memsleep.toml" if kind == "toml" else ".memsleep/config.toml"
    assert result.settings.decay.alpha == 0.2
    assert Origin("corpus", f"{name}:2") == result.origins["decay.alpha"]


def test_two_configs_of_one_corpus_are_refused(tmp_path: Path) -> None:
    """Nobody can know which of the two was meant."""
    error = refused(corpus_with(tmp_path, toml="", hidden=""))
    assert (error.reference, error.exit_code) == ("two-configs", 2)
    assert error.context == ("memsleep.toml", ".memsleep/config.toml")


VARIABLES = [
    pytest.param("MEMSLEEP_DECAY__ALPHA", "0.25", ("decay", "alpha", 0.25), id="number"),
    pytest.param("MEMSLEEP_DECAY__ALPHA", "1", ("decay", "alpha", 1.0), id="whole-number"),
    pytest.param("MEMSLEEP_CORPUS__ALLOW_EMPTY", "true", ("corpus", "allow_empty", True), id="yes"),
    pytest.param("MEMSLEEP_RUN__VIEW", "start", ("run", "view", "start"), id="plain-string"),
    pytest.param("MEMSLEEP_RUN__VIEW", '"start"', ("run", "view", "start"), id="toml-string"),
    pytest.param(
        "MEMSLEEP_CORPUS__EXCLUDE", '["a", "b"]', ("corpus", "exclude", ("a", "b")), id="list"
    ),
    pytest.param("MEMSLEEP_EMBEDDER__PATH", "2026", ("embedder", "path", "2026"), id="name-digits"),
    pytest.param("MEMSLEEP_EMBEDDER__PATH", "1.50", ("embedder", "path", "1.50"), id="as-typed"),
    pytest.param("MEMSLEEP_EMBEDDER__PATH", "", ("embedder", "path", ""), id="empty"),
    pytest.param(
        "MEMSLEEP_PAIRING__MINED_FLOOR", "embedder", ("pairing", "mined_floor", "embedder"), id="or"
    ),
]


@pytest.mark.parametrize(("name", "text", "expected"), VARIABLES)
def test_variables_are_toml_or_else_plain_text(
    tmp_path: Path, name: str, text: str, expected: tuple[str, str, object]
) -> None:
    """A variable's text is read as TOML where that is valid for the setting."""
    section, key, value = expected
    result = loaded(tmp_path, environ={name: text})
    assert value == getattr(getattr(result.settings, section), key)
    assert Origin("environment", name) == result.origins[f"{section}.{key}"]


@pytest.mark.parametrize(
    "name", ["MEMSLEEP_HOME", "memsleep_decay__alpha", "XMEMSLEEP_DECAY__ALPHA", "MEMSLEEP___X"]
)
def test_other_variables_are_left_alone(tmp_path: Path, name: str) -> None:
    """Only upper case names with a section and a key are settings."""
    assert Settings() == loaded(tmp_path, environ={name: "nonsense"}).settings


def test_a_relative_path_counts_from_the_file_that_names_it(tmp_path: Path) -> None:
    """From the corpus for its own config, from the folder of the file given by the user."""
    corpus = corpus_with(tmp_path / "corpus", toml="")
    own = tmp_path / "own.toml"
    own.write_bytes(b'[embedder]\npath = "v.npz"\n')
    assert str(tmp_path / "v.npz") == loaded(corpus, config_path=own).settings.embedder.path
    corpus_with(corpus, toml='[embedder]\npath = "v.npz"\n')
    assert str(corpus / "v.npz") == loaded(corpus).settings.embedder.path
    given = {"MEMSLEEP_EMBEDDER__PATH": "v.npz"}
    assert loaded(corpus, environ=given).settings.embedder.path == "v.npz"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
