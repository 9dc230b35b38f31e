"""Settings: where values come from, what is refused, and what is never shown."""

from datetime import time
from pathlib import Path
from typing import Any

import pytest

from larder.core.errors import BadInput
from larder.settings import Settings, load
from larder.settings.setting import SecretSetting


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_default_is_a_value_that_its_setting_takes() -> None:
    for name, setting in Settings.fields().items():
        assert setting.read(setting.default) == setting.default, name


def test_the_program_says_more_than_the_environment_and_that_more_than_the_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / ".env").write_text('LARDER_AGENT="of the file"\nLARDER_CONTACT=https://file.test\nOTHER=1\n')
    monkeypatch.setenv("LARDER_AGENT", "of the environment")
    monkeypatch.setenv("larder_pages_region", "in small letters")
    found = Settings(timezone="Europe/Amsterdam")
    assert (found.agent, found.contact) == ("of the environment", "https://file.test")
    assert (found.pages_region, found.timezone) == ("in small letters", "Europe/Amsterdam")
    assert Settings.without_environment(timezone="UTC").agent == "Larder"


def test_a_copy_keeps_what_it_is_not_told() -> None:
    found = Settings.without_environment(agent="Bot", strict=False)
    assert found.replaced(agent="Other").strict is False
    assert found == Settings.without_environment(strict="no", agent="Bot") != found.replaced(agent="Other")
    with pytest.raises(AttributeError, match="agent"):
        found.agent = "Other"


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("strict", "off", False),
        ("web", " Yes ", True),
        ("at_once", "12", 12),
        ("at_once", "12.0", 12),
        ("tick_seconds", "0.5", 0.5),
        ("parse_workers", "", None),
        ("parse_workers", "0", 0),
        ("browser", "", None),
        ("browser", "/usr/bin/chromium", Path("/usr/bin/chromium")),
        ("user_agents", '["a", "b"]', ["a", "b"]),
        ("actors", '{"homes": "user/actor"}', {"homes": "user/actor"}),
        ("summary_at", "06:30", time(6, 30)),
        ("secret_key", "abc", SecretSetting("abc")),
        ("channels", "", ()),
    ],
)
def test_text_becomes_a_value(name: str, given: str, value: Any) -> None:
    assert getattr(Settings.without_environment(**{name: given}), name) == value


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("strict", "perhaps", "must be true or false"),
        ("at_once", "many", "must be a whole number"),
        ("at_once", "1.5", "must be a whole number"),
        ("at_once", "0", "must be at least 1"),
        ("at_once", "10001", "must be at most 10,000"),
        ("tick_seconds", "nan", "must be a number"),
        ("tick_seconds", "-1", "must be at least 0"),
        ("pages_keep_days", "0", "must be greater than 0"),
        ("pages", "bucket", "is not a bucket"),
        ("broker", "localhost", "is not a broker"),
        ("broker", "http://localhost", "is not a broker"),
        ("broker", "amqp://u:a/b@localhost", "has no port after its host"),
        ("listen", "here", "must match the pattern"),
        ("listen", "127.0.0.1:65536", "port must be 0 to 65535"),
        ("log_level", "loud", "must match the pattern"),
        ("user_agents", "a, b", "must be JSON"),
        ("user_agents", '{"a": 1}', "must be a JSON list of texts"),
        ("actors", '["a"]', "must be a JSON object of texts"),
        ("trusted_proxies", '["10.0.0.1/8"]', "must be a JSON list of addresses or networks"),
        ("trusted_proxies", "[", "must be a JSON list of addresses or networks"),
        ("summary_at", "noon", "must be a time of day"),
        ("timezone", "Mars/Olympus", "is not a time zone"),
        ("channels", '[{"name": "a"}, {"name": "a"}]', "two channels have the same name"),
    ],
)
def test_a_wrong_value_is_refused_by_the_name_of_its_variable(
    name: str, given: str, message: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"LARDER_{name.upper()}", given)
    with pytest.raises(BadInput, match=f"^LARDER_{name.upper()}: .*{message}") as refused:
        load()
    assert str(refused.value.hint)


def test_secrets_are_not_shown() -> None:
    found = Settings.without_environment(secret_key="c3cret", relay_key=SecretSetting("c3cret"))
    assert "c3cret" not in repr(found) + str(found) + str(vars(found))
    assert found.secret_key.get_secret_value() == "c3cret"
    assert not Settings.without_environment().relay_key
