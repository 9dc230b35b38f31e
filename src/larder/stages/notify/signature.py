"""Signs webhooks, so that their receiver knows who sent them and when.

The signature covers the time and the exact body: a copy that is sent later, or changed, does not verify.
"""

import hashlib
import hmac
from datetime import datetime

TIMESTAMP_HEADER = "Larder-Timestamp"
SIGNATURE_HEADER = "Larder-Signature"


def signed_headers(secret: str, body: bytes, now: datetime) -> dict[str, str]:
    """The headers of a signed request: seconds since 1970, and HMAC-SHA256 of `TIMESTAMP.BODY` in hex."""
    timestamp = str(int(now.timestamp()))
    return {TIMESTAMP_HEADER: timestamp, SIGNATURE_HEADER: f"v1={signature(secret, timestamp, body)}"}


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """HMAC-SHA256 in hex."""
    return hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
