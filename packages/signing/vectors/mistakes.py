"""Mistakes that clients make, each a function from a vector to what such a client would send."""

import base64
import hashlib

from stages import digest, sign


def header_of(signature):
    """Turns a function that returns a signature into one that returns an Authorization header."""
    return {"authorization": lambda v: f"cbs:{v['appId']}:{signature(v)}"}


def resigned(change):
    """Returns the header of a client that signed a changed string to sign."""
    def signature(v):
        changed = change(v["stringToSign"], v)
        assert changed != v["stringToSign"], f"{v['id']}: the mistake makes no difference"
        return sign(v["appSecret"], changed)

    return header_of(signature)


def hex_digest(v):
    return digest(v["appSecret"], v["stringToSign"]).hex()


def other_trailing_bits(v):
    """Returns another Base64 text of the same 32 bytes: the last character has two unused bits."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    text = v["signature"]
    changed = text[:-2] + alphabet[alphabet.index(text[-2]) + 1] + "="
    assert base64.b64decode(changed) == base64.b64decode(text)
    return changed


def url_safe(v):
    changed = v["signature"].replace("+", "-").replace("/", "_")
    assert changed != v["signature"]
    return changed


def hex_md5(text, v):
    return text.replace(v["contentMd5"], hashlib.md5(v["body"].encode()).hexdigest())


def md5_of_hex(text, v):
    hexadecimal = hashlib.md5(v["body"].encode()).hexdigest()
    return text.replace(v["contentMd5"], base64.b64encode(hexadecimal.encode()).decode())


def resource(value):
    return lambda text, v: text.replace(v["canonicalResource"], value)
