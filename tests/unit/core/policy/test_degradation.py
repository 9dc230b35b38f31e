from datetime import timedelta

import pytest

from larder.core.policy.degradation import DatabaseFault, Remedy, WriteFailureAction, write_failure_action

TEN_SECONDS = WriteFailureAction(remedy=Remedy.RETRY, wait=timedelta(seconds=10))


@pytest.mark.parametrize(
    ("fault", "answers"),
    [
        (DatabaseFault.WRITE, [TEN_SECONDS, TEN_SECONDS, WriteFailureAction(remedy=Remedy.DEAD_LETTER)]),
        (DatabaseFault.UNIQUE, [WriteFailureAction(remedy=Remedy.SKIP)]),
        (DatabaseFault.FOREIGN_KEY, [WriteFailureAction(remedy=Remedy.LOG_AND_SKIP)]),
        (DatabaseFault.DISK_FULL, [WriteFailureAction(remedy=Remedy.ALERT)]),
    ],
)
def test_answers_in_turn(fault: DatabaseFault, answers: list[WriteFailureAction]) -> None:
    assert [write_failure_action(fault, faults=nth) for nth in range(1, len(answers) + 1)] == answers


def test_a_lost_connection_is_waited_for_three_times_then_the_work_is_spooled() -> None:
    answers = [write_failure_action(DatabaseFault.CONNECTION, faults=nth) for nth in (1, 2, 3, 4)]
    assert [each.remedy for each in answers] == [Remedy.RETRY, Remedy.RETRY, Remedy.RETRY, Remedy.SPOOL]
    waits = [each.wait for each in answers[:3]]
    assert waits == sorted(set(waits))


@pytest.mark.parametrize("fault", DatabaseFault)
def test_no_fault_is_retried_for_ever(fault: DatabaseFault) -> None:
    assert write_failure_action(fault, faults=100).remedy is not Remedy.RETRY
