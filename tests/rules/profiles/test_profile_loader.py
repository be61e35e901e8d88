"""Reading a table's own rules: strict, every fault with its line and the nearest valid name."""

from pathlib import Path

import pytest

from referee.faults import InputFault
from referee.rules.profiles import CustomRule, ProfileFault, load_profile

# text of the file, line of the fault, what the message says
FAULTS = [
    ("[uno]\npenalti = 2\n", 2, "no option 'uno.penalti' (did you mean 'uno.penalty'?)"),
    ("uno.penalty = 3\n", 1, "uno.penalty: 3 is not accepted: it takes 2 or 4"),
    ("\n\n[turn]\n\ndraw = 'until_playble'\n", 5, "did you mean 'until_playable'?"),
    ("[turn]\ndrw = 'one'\n", 2, "did you mean 'turn.draw'?"),
    ("[hause]\nstacking = 'any'\n", 1, "did you mean 'house'?"),
    ("penalty = 4\n", 1, "did you mean 'uno.penalty'?"),
    ("uno = 4\n", 1, "uno is a group of options, not a value"),
    ("[wild]\nmust_name = 1\n", 2, "it takes true or false"),
    ("[wild]\nmust_name = 'yes'\n", 2, "it takes true or false"),
    ("[turn]\ncards = true\n", 2, "it takes 1"),
    ("[setup]\nhand_size = 0\n", 2, "0 is out of range: it takes a whole number from 1 to 20"),
    ("[setup]\nhand_size = -7\n", 2, "-7 is out of range"),
    ("[setup]\nhand_size = 7.0\n", 2, "7.0 is not accepted"),
    ("[score]\ntarget = '500'\n", 2, "'500' is not accepted: it takes a whole number"),
    ("[score]\nvalues = 20\n", 2, "it takes a table of number, skip"),
    ("[score.values]\nskpi = 20\n", 2, "score.values.skpi: no such entry: did you mean 'skip'?"),
    ("[score.values]\nskip = -20\n", 2, "score.values.skip: -20 is out of range"),
    ("[score.values]\nnumber = 'faces'\n", 2, "did you mean 'face'?"),
    ("[deck]\ncustom_rules = 'sing'\n", 2, "list of tables with text, effect and count"),
    ("[[deck.custom_rules]]\neffect = 'next_draw'\n", 2, "did you mean 'next_draws'?"),
    ("[source]\ntitle = 3\n", 2, "it takes a text in quotes"),
    ("extends = 'seed-03'\n", 1, "no such profile (did you mean 'seed-003'?)"),
    ("extends = 'nowhere.toml'\n", 1, "no such profile"),
    ("extends = ['seed-003']\n", 1, "extends takes the name of one profile"),
    ("extends = 'ours.toml'\n", 1, "leads back to itself"),
    ("[lines]\nturn.drow = '1:38'\n", 2, "did you mean 'turn.draw'?"),
    ("[lines]\nturn.draw = 38\n", 2, "a line is written as a text"),
    ("lines = 3\n", 1, "lines is a table"),
    ("[uno\npenalty = 2\n", 1, "is not TOML"),
    ("uno.penalty = \n", 1, "is not TOML"),
    ("uno.penalty = 2\nuno.penalty = 4\n", 2, "is not TOML"),
    ("[deck]\nhands_card = 'swap'\n", 2, "the classic_108 box holds no swap card"),
    ("extends = 'seed-000'\n[deck]\ncustomizable = 4\n", 3, "the swap_112 box holds 3 blank wilds"),
    ("[players]\nmin = 5\nmax = 4\n", 2, "players.min 5 is above players.max 4"),
    ("[players]\nmax = 3\n[partners]\nenabled = true\n", 4, "partners play with four"),
    ("[score]\nelimination = 'to_one'\nto = 'each_own_hand'\n", 2, "go together"),
    ("[score]\nelimination = 'to_one'\nwinner = 'last_left'\n", 1, "elimination needs each hand"),
    ("[score]\nto = 'nobody'\n", 1, "single_round"),
    ("[wild_draw_four]\nchallenge = 'nobody'\n", 2, "somebody who may challenge"),
]


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    return tmp_path / "ours.toml"


@pytest.mark.parametrize(("text", "line", "message"), FAULTS)
def test_a_fault_is_told_with_its_line(ours: Path, text: str, line: int, message: str) -> None:
    ours.write_text(text, encoding="utf-8")
    with pytest.raises(ProfileFault) as caught:
        load_profile(ours)
    fault = caught.value.faults[0]
    assert fault.where == f"{ours}:{line}"
    assert message in str(fault)
    assert "\n" not in str(caught.value)


def test_all_faults_of_a_file_are_told_at_once(ours: Path) -> None:
    ours.write_text(
        "extends = 'sed-003'\n[uno]\npenalty = 3\nfalse_cal = 2\n[turn]\ndraw = 'two'\n", encoding="utf-8"
    )
    with pytest.raises(ProfileFault) as caught:
        load_profile(ours)
    assert [fault.where.rpartition(":")[2] for fault in caught.value.faults] == ["3", "4", "6", "1"]
    assert str(caught.value).startswith(f"{ours}: 4 faults: line 3: ")


def test_a_fault_in_a_parent_file_is_told_there(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text("[uno]\npenalty = 5\n", encoding="utf-8")
    (tmp_path / "ours.toml").write_text("extends = 'base.toml'\n", encoding="utf-8")
    with pytest.raises(ProfileFault) as caught:
        load_profile(tmp_path / "ours.toml")
    assert caught.value.faults[0].where == f"{tmp_path / 'base.toml'}:2"


def test_a_longer_circle_of_files_is_found(tmp_path: Path) -> None:
    for name, parent in (("a", "b"), ("b", "c"), ("c", "b")):
        (tmp_path / f"{name}.toml").write_text(f"extends = '{parent}.toml'\n", encoding="utf-8")
    with pytest.raises(ProfileFault, match=r"c\.toml:1: extends 'b\.toml', which leads back to itself"):
        load_profile(tmp_path / "a.toml")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("seed-005", "there is no profile 'seed-005' (did you mean 'seed-00"),
        ("clasic-108", "did you mean 'classic-108'?"),
        ("zzz", "`referee rules list` names them"),
        ("", "cannot be read"),
        ("x" * 5000, "there is no profile 'xxx"),
        ("x" * 5000 + ".toml", "cannot be read: file name too long"),
        ("a\0b", "there is no profile"),
        ("a\0b.toml", "cannot be read: embedded null"),
        ("nowhere/ours.toml", "nowhere/ours.toml: cannot be read: no such file"),
    ],
)
def test_no_such_profile(name: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputFault) as caught:
        load_profile(name)
    assert message in str(caught.value)


def test_files_that_hold_no_text(tmp_path: Path) -> None:
    (tmp_path / "picture.toml").write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(InputFault, match="is not a text file"):
        load_profile(tmp_path / "picture.toml")
    with pytest.raises(InputFault, match="cannot be read: is a directory"):
        load_profile(tmp_path)


def test_an_empty_file_is_the_defaults(ours: Path) -> None:
    ours.write_text("", encoding="utf-8")
    profile = load_profile(ours)
    assert profile.name == profile.title == "ours"
    assert profile.source_of("turn.draw") == ("assumed",)


def test_a_tables_own_file_lies_over_a_preset(ours: Path) -> None:
    ours.write_text(
        "extends = 'seed-001'\nspeech.language = 'pt'\n\n[house]\nstacking = 'draw_two'\n"
        "\n[score.values]\nskip = 30\n",
        encoding="utf-8",
    )
    profile = load_profile(str(ours))
    assert profile.parents == ("seed-001",)
    assert profile.house.stacking == "draw_two"
    assert profile.source_of("house.stacking") == (f"{ours}:5",)
    assert profile.source_of("turn.draw") == ("seed-001 1:38", "seed-001 1:120"), "inherited with its lines"
    assert (profile.score.values.skip, profile.score.values.wild) == (30, 50), "only the entry that is named"
    assert profile.title == "ours", "a table's file does not pass for the document it extends"


def test_a_file_may_extend_a_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "base.toml").write_text("extends = 'seed-004'\nuno.penalty = 2\n", encoding="utf-8")
    (tmp_path / "sub" / "ours.toml").write_text("extends = '../base.toml'\nuno.false_call = 2\n", encoding="utf-8")
    profile = load_profile(tmp_path / "sub" / "ours.toml")
    assert (profile.uno.penalty, profile.uno.false_call, profile.turn.draw) == (2, 2, "until_playable")
    assert profile.parents == ("base", "seed-004")


def test_a_file_may_quote_its_own_lines(ours: Path) -> None:
    ours.write_text("uno.penalty = 4\n[lines]\nuno.penalty = ['4:27', 'our kitchen wall']\n", encoding="utf-8")
    assert load_profile(ours).source_of("uno.penalty") == ("seed-004 4:27", "our kitchen wall")


def test_blank_cards_carry_the_tables_rules(ours: Path) -> None:
    ours.write_text(
        "extends = '112-card'\n[[deck.custom_rules]]\ntext = 'sing or draw'\neffect = 'next_draws'\ncount = 2\n"
        "[[deck.custom_rules]]\neffect = 'extra_turn'\n",
        encoding="utf-8",
    )
    assert load_profile(ours).deck.custom_rules == (
        CustomRule("sing or draw", "next_draws", 2),
        CustomRule(effect="extra_turn"),
    )


def test_a_preset_is_read_once() -> None:
    assert load_profile("party") is load_profile("party")
