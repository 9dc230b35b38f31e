"""Deployments of one process share their routes, and nothing else."""

from larder.api import api_routes


def test_routes_are_prepared_once_for_all_deployments_of_a_process() -> None:
    """To prepare the admin ones takes a second, at the first request of each deployment."""
    one, other = api_routes(), api_routes()
    assert one.state is not other.state
    assert [*map(id, one.router.routes)] == [*map(id, other.router.routes)]
    assert one.router.routes is not other.router.routes
