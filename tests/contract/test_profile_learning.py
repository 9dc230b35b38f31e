"""What learning of site profiles remembers, on both databases."""

from datetime import timedelta

from larder.store.database import Connection
from larder.store.operations import profile_learning
from larder.store.operations.profile_learning import LEASE, LearningAttempt
from tests.contract.world import NOW, unit_of_work

SECOND = timedelta(seconds=1)


@unit_of_work
def test_the_last_attempt_counts(conn: Connection) -> None:
    first, last = (LearningAttempt(version="1", details=n, result="same") for n in (4, 9))
    profile_learning.save_attempt(conn, 1, first, now=NOW)
    profile_learning.save_attempt(conn, 1, last, now=NOW)
    profile_learning.save_attempt(conn, 11, first, now=NOW)

    assert profile_learning.load_attempts(conn, [1, 2]) == {1: last}


@unit_of_work
def test_a_replay_is_claimed_by_one_and_taken_over_when_its_time_is_over(conn: Connection) -> None:
    profile_learning.add_replay(conn, 7, now=NOW)

    at_once = profile_learning.claim_replay(conn, now=NOW + SECOND)
    later = profile_learning.claim_replay(conn, now=NOW + LEASE)
    then = profile_learning.claim_replay(conn, now=NOW + LEASE + SECOND)

    assert (at_once, later, then) == (None, 7, None)


@unit_of_work
def test_a_released_replay_waits_for_the_next_and_an_ended_one_for_nobody(conn: Connection) -> None:
    profile_learning.add_replay(conn, 7, now=NOW)
    profile_learning.release_replay(conn, 7)
    released = profile_learning.claim_replay(conn, now=NOW + SECOND)
    profile_learning.end_replay(conn, 7)

    assert released == 7
    assert profile_learning.claim_replay(conn, now=NOW + 2 * LEASE) is None
