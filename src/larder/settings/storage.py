"""What is stored where, and for how long."""

import re
from pathlib import Path

from larder.settings.kinds import flag, number, path, secret, text, whole
from larder.settings.part import SettingsPart
from larder.settings.setting import SecretSetting


def _check_bucket(value: str) -> None:
    if value and not re.match(r"s3://[^/]", value):
        raise ValueError("is not a bucket: write s3://bucket or s3://bucket/prefix, or leave it empty")


class StorageSettings(SettingsPart):
    """What is stored where, and for how long."""

    data: Path = path("larder-data", "Folder for the embedded database and stored pages.")
    database: str = text(
        "", "Database URL: sqlite:///path or postgresql://…; empty: SQLite in the data folder."
    )
    statement_seconds: float = number(
        300,
        "Seconds after which PostgreSQL cancels a statement; 0: never. Migrations have no limit.",
        ge=0,
        le=86_400,
    )
    secret_key: SecretSetting = secret(
        "Encrypts secrets and proxy passwords: 32 bytes in base64; empty: none is stored."
    )
    pages: str = text(
        "",
        "Where page bodies are stored: s3://bucket/prefix; empty: in the data folder.",
        check=_check_bucket,
    )
    pages_endpoint: str = text("", "URL of the S3 server; empty: Amazon's.")
    pages_region: str = text("us-east-1", "The bucket's region.")
    pages_access_key: str = text("", "The bucket's access key; empty: the role of the machine.")
    pages_secret: SecretSetting = secret("The secret of the access key.")
    pages_sync: bool = flag(
        False, "Sync page bodies to disk before they count as stored, so that a power cut loses none."
    )
    pages_keep_days: float = number(90, "Days that page bodies without a reference are kept.", gt=0)
    pages_keep_bytes: int = whole(
        0, "Maximum bytes of page bodies; the oldest are deleted first; 0: no limit.", ge=0
    )
    jobs_keep_days: float = number(30, "Days that ended jobs and their items are kept.", gt=0)
    errors_keep_days: float = number(90, "Days that errors and resolved dead letters are kept.", gt=0)
    changes_keep_days: float = number(365, "Days that the change feed reaches back.", gt=0)
    archive_after_days: float = number(
        365,
        "Days after which an inactive record is archived: identity and prices stay; 0: never.",
        ge=0,
        le=36_500,
    )

    @property
    def database_url(self) -> str:
        """The database URL."""
        return self.database or f"sqlite:///{self.data / 'larder.db'}"

    @property
    def embedded(self) -> bool:
        """Whether the database is SQLite."""
        return self.database_url.startswith("sqlite:")
