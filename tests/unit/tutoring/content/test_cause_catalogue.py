"""The shipped catalogue holds together, and every way to break it is refused with file, line, field and reason."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from maththera.arithmetic.malrules import CATALOGUE as MALRULES
from maththera.config_files import ConfigError
from maththera.settings import home
from maththera.tutoring.content.cause_catalogue import Catalogue, load_catalogue

Change = Callable[[str, str, str], Path]


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue(Path(home()))


@pytest.fixture
def change(tmp_path: Path) -> Change:
    """A home whose file of that name has its first `old` replaced."""
    for name in ("causes", "trainings", "drawings", "observations"):
        (tmp_path / "configs" / "tutoring").mkdir(parents=True, exist_ok=True)
        shutil.copy(Path(home()) / "configs" / "tutoring" / f"{name}.yaml", tmp_path / "configs" / "tutoring")

    def edit(name: str, old: str, new: str) -> Path:
        path = tmp_path / "configs" / "tutoring" / f"{name}.yaml"
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return tmp_path

    return edit


def test_the_trainings_of_a_cause_keep_their_order(catalogue: Catalogue) -> None:
    assert catalogue.causes["MAKE10_STRATEGY_UNAVAILABLE_COUNTING_FALLBACK"].trainings == ("T12", "T17")


def test_every_cause_of_a_malrule_leads_to_a_training(catalogue: Catalogue) -> None:
    tags = {cause.tag for rule in MALRULES.values() for cause in rule.causes}
    assert all(training in catalogue.trainings for tag in tags for training in catalogue.causes[tag].trainings)


@pytest.mark.parametrize(
    "strategy", ["COUNT_ON", "PART_WHOLE", "DOUBLE", "MAKE10", "PLACE_VALUE", "COMPENSATE", "RETRIEVE"]
)
def test_every_strategy_a_problem_can_ask_for_has_a_fluency_cause(catalogue: Catalogue, strategy: str) -> None:
    fluency = [tag for tag, cause in catalogue.causes.items() if cause.domain == "FLUENCY" and tag.endswith(strategy)]
    assert len(fluency) == 1


def test_explanations_are_one_sentence(catalogue: Catalogue) -> None:
    assert [tag for tag, cause in catalogue.causes.items() if not cause.explanation.endswith("요.")] == []
    assert [tag for tag, cause in catalogue.causes.items() if cause.explanation.count(".") != 1] == []


def test_counting_where_making_ten_is_asked_for(catalogue: Catalogue) -> None:
    counting = catalogue.observations["OBS_OVERRELIANCE_COUNTING"]
    assert counting.cause("STR_MAKE10") == "MAKE10_STRATEGY_UNAVAILABLE_COUNTING_FALLBACK"
    assert counting.cause("STR_COUNT_ON") is None


def test_an_observation_without_a_strategy_has_one_cause_everywhere(catalogue: Catalogue) -> None:
    away = catalogue.observations["OBS_LOOKING_AWAY"]
    assert {away.cause("STR_MAKE10"), away.cause("STR_COUNT_ON")} == {"ATTENTION_L0_DISTRACTED"}


def test_retrieving_gives_no_cause(catalogue: Catalogue) -> None:
    assert catalogue.observations["OBS_RETRIEVING"].cause("STR_MAKE10") is None


@pytest.mark.parametrize(
    ("telemetry", "tags"),
    [
        ({}, ()),
        ({"first_input_ms": 14_999, "edits": 3, "focus_losses": 1}, ()),
        ({"focus_losses": 2}, ("OBS_FOCUS_LOST",)),
        ({"first_input_ms": 15_000, "edits": 4}, ("OBS_LATE_START", "OBS_MANY_EDITS")),
    ],
)
def test_telemetry_shows_behaviour(catalogue: Catalogue, telemetry: dict[str, int], tags: tuple[str, ...]) -> None:
    assert catalogue.derive_observations(telemetry) == tags


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        ("causes", "SPATIAL_L4_ALIGNMENT:", "SPATIAL_ALIGNMENT:", r"SPATIAL_ALIGNMENT: the tag is not DOMAIN_Ln_NAME"),
        ("causes", "SPATIAL_L4_ALIGNMENT:", "SPATIAL_L4_OTHER:", r"SPATIAL_L4_ALIGNMENT: missing, but a malrule names"),
        ("causes", "domain: ATTENTION", "domain: SPATIAL", r"ATTENTION_L0_IMPULSE\.domain: the tag says ATTENTION"),
        ("causes", "level: 0", "level: 1", r"ATTENTION_L0_IMPULSE\.level: the tag says 0"),
        ("causes", "level: 0", "level: 7", r"causes\.yaml:\d+: ATTENTION_L0_IMPULSE\.level: .*less than or equal to 6"),
        ("causes", "axis: E1", "axis: E4", r"causes\.yaml:\d+: ATTENTION_L0_IMPULSE\.axis: "),
        ("causes", "[T30]", "[]", r"ATTENTION_L0_IMPULSE\.trainings: "),
        ("causes", "[T30]", "[T00]", r"ATTENTION_L0_IMPULSE\.trainings: there is no training T00"),
        ("causes", "trainings: [T12, T17]", "trainings: [T12]\n  colour: red", r"FALLBACK\.colour: "),
        ("causes", "[attention]", "[attention, malrule]", r"IMPULSE\.reached_by: no malrule names this cause"),
        ("causes", "[malrule]", "[llm]", r"OPERATION_SWITCH\.reached_by: some malrule names this cause"),
        ("causes", "[attention, observation]", "[attention]", r"DISENGAGED\.reached_by: some observation names this"),
        (
            "observations",
            "any: ATTENTION_L0_DISTRACTED",
            "any: ATTENTION_L0_X",
            r"LOOKING_AWAY\.causes\.any: there is no",
        ),
        ("observations", "shows: STR_COUNT_ON", "shows: STR_MAGIC", r"OBS_OVERRELIANCE_COUNTING\.shows: "),
        ("observations", "tag: OBS_FOCUS_LOST", "tag: OBS_X", r"telemetry\[0\]\.tag: there is no observation OBS_X"),
        ("observations", "field: edits", "field: sighs", r"telemetry\[2\]\.field: "),
    ],
)
def test_what_does_not_fit_is_refused(change: Change, name: str, old: str, new: str, fault: str) -> None:
    broken = change(name, old, new)
    with pytest.raises(ConfigError, match=fault):
        load_catalogue(broken)


def test_a_training_that_no_cause_leads_to_is_refused(change: Change) -> None:
    change("causes", "trainings: [T26, T12, T13]", "trainings: [T12]")
    broken = change("causes", "trainings: [T26]", "trainings: [T12]")
    with pytest.raises(
        ConfigError, match=r"trainings\.yaml: T26: no cause that a rule can name leads to this training"
    ):
        load_catalogue(broken)


def test_all_faults_come_at_once(change: Change) -> None:
    change("causes", "level: 0", "level: 1")
    broken = change("observations", "tag: OBS_FOCUS_LOST", "tag: OBS_X")
    with pytest.raises(ConfigError) as error:
        load_catalogue(broken)
    assert len(str(error.value).splitlines()) == 2
