"""A hint is rendered by every face: as a command that exists, as JSON, and as a link."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from pydantic import TypeAdapter

import larder
from larder.api.problems import problem
from larder.api.schemas import answer
from larder.cli import COMMANDS as COMMAND_NAMES
from larder.cli import load_command
from larder.core.model.hint import Hint, HintAction
from larder.core.policy.scheduling.gates import Gate, GateReason
from larder.rendering.hints import COMMANDS, command_line, sentence
from larder.rendering.json_values import to_json
from larder.web.hint_links import PAGES, hint_link

ACTIONS: tuple[HintAction, ...] = get_args(HintAction)


def test_every_face_knows_every_action() -> None:
    assert set(COMMANDS) == set(PAGES) == set(ACTIONS)


@pytest.mark.parametrize("action", ACTIONS)
def test_a_command_line_names_a_command_that_exists(action: HintAction) -> None:
    _, noun, *rest = command_line(Hint(action=action, target="7")).split()
    command = load_command(noun)
    verbs = getattr(command, "commands", None)
    assert verbs is None or rest[0] in verbs


@pytest.mark.parametrize("action", ACTIONS)
def test_a_problem_carries_the_action_for_programs(action: HintAction) -> None:
    sent = problem(409, "no", hint=Hint(text="do it", action=action, target="homes"))
    assert f'"action":"{action}"'.encode() in sent.body
    assert b'"hint":"do it: larder ' in sent.body


@pytest.mark.parametrize(
    ("hint", "said"),
    [
        (Hint(), ""),
        (Hint(text="write digits only"), "write digits only"),
        (Hint(action="run.list"), "larder run list"),
        (Hint(text="stop it first", action="run.stop", target="7"), "stop it first: larder run stop 7"),
        (
            Hint(action="adapter.canary", target="x", options=(("site", "a b"),)),
            "larder adapter canary x --site 'a b'",
        ),
        (Hint(action="record.export", options=(("hidden", ""),)), "larder export --hidden"),
    ],
)
def test_a_sentence_ends_with_the_command(hint: Hint, said: str) -> None:
    assert sentence(hint) == said


def test_beside_the_sentence_stands_the_action() -> None:
    hint = Hint(action="source.enable", target="homes")
    step = {"action": "source.enable", "target": "homes", "options": {}, "text": ""}
    reason = GateReason(gate=Gate.DISABLED, says="off", todo=hint)
    told = {"gate": "disabled", "says": "off", "todo": "larder source enable homes", "until": None}
    assert to_json(reason) == {**told, "next_step": step}
    assert TypeAdapter(answer(GateReason)).dump_python(reason, mode="json") == to_json(reason)


def test_a_link_quotes_its_target() -> None:
    assert hint_link(Hint(action="source.why", target="../x")).href == "/admin/sources/..%2Fx"


BELOW_THE_FACES = (
    "core", "runs", "sdk", "stages", "store", "engine", "actions", "app", "sim", "extraction", "adapters",
)  # fmt: skip
COMMAND_LINE = re.compile(rf"\blarder (?:{'|'.join(map(re.escape, COMMAND_NAMES))})\b")


def _texts(path: Path) -> Iterator[str]:
    """The strings of a module that are not docstrings, nor bytes."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value


def test_no_room_below_the_faces_knows_a_command_line() -> None:
    root = Path(larder.__file__).parent
    found = [
        f"{path.relative_to(root)}: {text.strip()}"
        for room in BELOW_THE_FACES
        for path in (root / room).rglob("*.py")
        if path.name != "scaffold.py"  # its files are for a person who writes an adapter
        for text in _texts(path)
        if COMMAND_LINE.search(text)
    ]
    assert found == []


def test_a_hint_without_a_page_shows_what_it_is_about() -> None:
    shown = hint_link(Hint(text="see what the site answers", action="page.fetch", target="http://a.test/1"))
    assert shown.text == "see what the site answers: http://a.test/1"
