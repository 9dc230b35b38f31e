"""`larder backup` and `larder restore`: a deployment in one file, and back.

A backup is a tar file with the database, the page bodies and, last, a manifest with their checksums: a
truncated file has no manifest and is refused. The key that encrypts secrets is never part of it.
"""

from larder.app.backup.restore import Restored, restore
from larder.app.backup.save import SavedBackup, backup

__all__ = ["Restored", "SavedBackup", "backup", "restore"]
