import pytest

from maththera.flows.flow_catalog import FlowCatalog, UnknownFlow

STEPS = "  steps: [{id: a, action: python, code: return 1}]\n"


def write(folder, name, version, more="", steps=STEPS):
    (folder / f"{name}_{version}.yaml").write_text(f'flow:\n  name: "{name}"\n  version: "{version}"\n{more}{steps}')


def read(folder):
    return FlowCatalog.load(folder, catalogue={})


def test_of_two_versions_the_higher_is_taken_unless_one_is_named(tmp_path):
    for version in ("1.9", "1.10", "1.2"):
        write(tmp_path, "연습", version)
    flows = read(tmp_path)

    assert (flows.best("연습").version, flows.best("연습", "1.2").version) == ("1.10", "1.2")
    assert flows.by_hash(flows.best("연습", "1.9").hash).version == "1.9"


def test_a_student_always_gets_the_same_variant_and_the_shares_are_as_weighted(tmp_path):
    write(tmp_path, "연습", "1.0")
    write(tmp_path, "연습", "1.1", "  variants: [{version: 1.0, weight: 1}, {version: 1.1, weight: 3}]\n")
    flows = read(tmp_path)

    got = [flows.best("연습", student_id=f"s{n}").version for n in range(2_000)]

    assert got == [flows.best("연습", student_id=f"s{n}").version for n in range(2_000)]
    assert 0.70 < got.count("1.1") / len(got) < 0.80


@pytest.mark.parametrize(("stem", "told"), [("연습", 0), ("연습_1.0", 0), ("연습_1.1", 1), ("숙제", 1)])
def test_a_file_has_the_name_of_its_flow(tmp_path, stem, told):
    write(tmp_path, "연습", "1.0")
    (tmp_path / "연습_1.0.yaml").rename(tmp_path / f"{stem}.yaml")

    warnings = read(tmp_path).best("연습").warnings

    assert [str(warning.message) for warning in warnings] == [
        f"the file is called '{stem}'; call it '연습' or '연습_1.0'"
    ] * told  # fmt: skip


def test_a_file_with_mistakes_keeps_no_other_from_running(tmp_path):
    write(tmp_path, "연습", "1.0")
    write(tmp_path, "고장", "1.0", steps="  steps: []\n")
    flows = read(tmp_path)

    assert flows.names() == ["연습"]
    assert [str(fault.message) for fault in flows.faults] == ["needs at least 1 element"]


def test_what_editors_and_systems_leave_beside_the_flows_is_no_flow(tmp_path):
    write(tmp_path, "가", "1.0")
    (tmp_path / ".#가.yaml").symlink_to("someone@machine.1234")
    (tmp_path / "._가.yaml").write_bytes(b"\x00\x05\x16\x07")
    (tmp_path / "old.yaml").mkdir()

    assert (read(tmp_path).names(), read(tmp_path).faults) == (["가"], [])


def test_the_same_version_twice_is_a_mistake(tmp_path):
    write(tmp_path, "연습", "1.0")
    (tmp_path / "z.yaml").write_text((tmp_path / "연습_1.0.yaml").read_text())

    assert "is already in" in str(read(tmp_path).faults[0].message)


def test_flows_that_call_each_other_in_a_circle_are_refused(tmp_path):
    for one, other in (("가", "나"), ("나", "가"), ("다", "가")):
        write(tmp_path, one, "1.0", steps=f'  steps: [{{id: a, action: graph, graph: "{other}"}}]\n')
    flows = read(tmp_path)

    assert flows.names() == ["다"]
    assert sorted(str(fault.message) for fault in flows.faults) == [
        "'가' calls itself, directly or over others",
        "'나' calls itself, directly or over others",
    ]


def test_a_variant_that_does_not_exist_is_a_mistake(tmp_path):
    write(tmp_path, "연습", "1.0", "  variants: [{version: 2.0, weight: 1}]\n")

    assert [str(fault.message) for fault in read(tmp_path).faults] == ["'연습' has no version 2.0; did you mean '1.0'?"]


def test_an_unknown_name_says_what_there_is(tmp_path):
    write(tmp_path, "진단_리포트", "1.0")

    with pytest.raises(UnknownFlow, match="did you mean '진단_리포트'"):
        read(tmp_path).best("진단_리포트_생성")
