"""`larder key`: a key is shown once; what is listed never holds it."""

from tests.unit.cli.conftest import Shell


def test_a_key_from_its_first_to_its_last_day(larder: Shell) -> None:
    issued = larder("key", "add", "ada", "--scope", "admin", "--lasts", "90d", "--json").json
    assert issued["key"].startswith(f"larder_{issued['view']['prefix']}_")
    (listed,) = larder("key", "list", "--json").json
    assert (listed["name"], listed["scopes"], listed["revoked_at"]) == ("ada", ["admin"], None)
    assert issued["key"] not in str(listed)
    assert larder("key", "revoke", "ada", "--json").json["revoked_at"]
    assert "revoked" in larder("key", "list").out


def test_it_is_shown_once_to_a_person(larder: Shell) -> None:
    said = larder("key", "add", "rita").out
    assert said.count("larder_") == 1
    assert "shown once" in said


def test_what_is_wrong_is_told(larder: Shell) -> None:
    assert larder("key", "revoke", "nobody").complaint[0] == "there is no active key 'nobody'"
    larder("key", "add", "ada")
    assert "already" in larder("key", "add", "ada").complaint[0]
    assert "invalid key name" in larder("key", "add", "a b").complaint[0]


def test_a_link_leads_to_where_larder_listens(larder: Shell) -> None:
    link = larder("key", "link", "--json").json["link"]
    assert link.startswith("http://127.0.0.1:0/enter?ticket=")
