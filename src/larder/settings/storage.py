"""What is stored where, and for how long."""

import re
from pathlib import Path

from pydantic import Field, SecretStr, field_validator

from larder.settings.part import SettingsPart


class StorageSettings(SettingsPart):
    """What is stored where, and for how long."""

    data: Path = Field(
        default=Path("larder-data"), description="Folder for the embedded database and stored pages."
    )
    database: str = Field(
        default="",
        description="Database URL: sqlite:///path or postgresql://…; empty: SQLite in the data folder.",
    )
    statement_seconds: float = Field(
        default=300,
        ge=0,
        le=86_400,
        description="Seconds after which PostgreSQL cancels a statement; 0: never. Migrations have no limit.",
    )
    secret_key: SecretStr = Field(
        default=SecretStr(""),
        description="Encrypts secrets and proxy passwords: 32 bytes in base64; empty: none is stored.",
    )
    pages: str = Field(
        default="", description="Where page bodies are stored: s3://bucket/prefix; empty: in the data folder."
    )
    pages_endpoint: str = Field(default="", description="URL of the S3 server; empty: Amazon's.")
    pages_region: str = Field(default="us-east-1", description="The bucket's region.")
    pages_access_key: str = Field(
        default="", description="The bucket's access key; empty: the role of the machine."
    )
    pages_secret: SecretStr = Field(default=SecretStr(""), description="The secret of the access key.")
    pages_sync: bool = Field(
        default=False,
        description="Sync page bodies to disk before they count as stored, so that a power cut loses none.",
    )
    pages_keep_days: float = Field(
        default=90, gt=0, description="Days that page bodies without a reference are kept."
    )
    pages_keep_bytes: int = Field(
        default=0,
        ge=0,
        description="Maximum bytes of page bodies; the oldest are deleted first; 0: no limit.",
    )
    jobs_keep_days: float = Field(
        default=30,
        gt=0,
        description="Days that ended jobs and their items are kept.",
    )
    errors_keep_days: float = Field(
        default=90, gt=0, description="Days that errors and resolved dead letters are kept."
    )
    changes_keep_days: float = Field(default=365, gt=0, description="Days that the change feed reaches back.")
    archive_after_days: float = Field(
        default=365,
        ge=0,
        le=36_500,
        description="Days after which an inactive record is archived: identity and prices stay; 0: never.",
    )

    @field_validator("pages")
    @classmethod
    def _is_bucket(cls, value: str) -> str:
        if value and not re.match(r"s3://[^/]", value):
            raise ValueError("is not a bucket: write s3://bucket or s3://bucket/prefix, or leave it empty")
        return value

    @property
    def database_url(self) -> str:
        """The database URL."""
        return self.database or f"sqlite:///{self.data / 'larder.db'}"

    @property
    def embedded(self) -> bool:
        """Whether the database is SQLite."""
        return self.database_url.startswith("sqlite:")
