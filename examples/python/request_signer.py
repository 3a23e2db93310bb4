"""Signs requests of the cbs scheme. Copy this file into your project: it needs Python 3.8 and nothing else."""

import base64
import hashlib
import hmac
import re
import time
import uuid
from urllib.parse import unquote_to_bytes


def sign(app_id, app_secret, method, target, body=b"", *, timestamp=None, nonce=None,
         omit_content_md5=False, plus="space"):
    """Returns the three headers that the request must carry.

    target is the path and query exactly as they are sent, still percent-encoded, a base path included.
    body is the bytes exactly as they are sent, or None. timestamp is in whole seconds, now by default; nonce is a
    random UUID by default. Raises ValueError for a request that no server could accept.
    """
    timestamp = str(int(time.time()) if timestamp is None else timestamp)
    nonce = str(uuid.uuid4()) if nonce is None else nonce
    if not 1 <= len(nonce) <= 36 or re.search(r"[\x00-\x1f\x7f]", nonce):
        raise ValueError("a nonce has 1 to 36 characters, none of them a control character")
    text = string_to_sign(method, content_md5(method, body, omit_content_md5), timestamp, nonce,
                          canonical_resource(target, plus))
    return {
        "Authorization": authorization(app_id, signature(app_secret, text)),
        "Timestamp": timestamp,
        "Nonce": nonce,
    }


def content_md5(method, body, omit=False):
    """Base64 of the body's MD5, or None when it is not part of what is signed. omit is for image uploads."""
    if omit or not (body or method.upper() in ("POST", "PUT")):
        return None
    return base64.b64encode(hashlib.md5(body or b"").digest()).decode()


def canonical_resource(target, plus="space"):
    """The path as sent, and the decoded parameters sorted by name. plus says how "+" is read: space, literal."""
    path, _, query = target.partition("?")
    pieces = [piece.partition("=") for piece in query.split("&") if piece]
    parameters = [(_decode(name, plus), _decode(value, plus)) for name, _, value in pieces]
    if not parameters:
        return path
    # By UTF-16 code unit, which is not Python's own order where a name has characters beyond U+FFFF.
    parameters.sort(key=lambda parameter: parameter[0].encode("utf-16-be"))
    return path + "?" + "&".join(f"{name}={value}" for name, value in parameters)


def string_to_sign(method, md5, timestamp, nonce, resource):
    parts = [method.upper(), md5, timestamp, nonce, resource]
    return "\n".join(part for part in parts if part is not None)


def signature(app_secret, text):
    digest = hmac.new(app_secret.encode(), text.encode(), hashlib.sha256).digest()
    return base64.b64encode(digest).decode()


def authorization(app_id, signature_):
    return f"cbs:{app_id}:{signature_}"


def _decode(encoded, plus):
    # Python's own decoder leaves a "%" without two hexadecimal digits as it is, and a server refuses it.
    if re.search("%(?![0-9A-Fa-f]{2})", encoded):
        raise ValueError(f"malformed percent-encoding in {encoded!r}")
    text = encoded.replace("+", " ") if plus == "space" else encoded
    return unquote_to_bytes(text).decode("utf-8")
