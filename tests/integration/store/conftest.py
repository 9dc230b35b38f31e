"""S3-speaking servers, one of each for the session."""

from collections.abc import Iterator

import pytest

from tests.integration.store import s3


@pytest.fixture(scope="session")
def rclone_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[s3.Server]:
    with s3.rclone(tmp_path_factory.mktemp("rclone")) as server:
        yield server


@pytest.fixture(scope="session")
def moto_server() -> Iterator[s3.Server]:
    with s3.moto() as server:
        yield server
