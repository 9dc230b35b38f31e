"""Sends the dataset to ClickHouse. Settings and a running Larder come in; rows over HTTP go out."""

from larder.app.clickhouse.export import CopyReport, send_missing

__all__ = ["CopyReport", "send_missing"]
