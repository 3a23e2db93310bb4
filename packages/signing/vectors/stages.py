"""The stages of signing, one function each, using only Python's standard library."""

import base64
import hashlib
import hmac
import re
import unicodedata
import urllib.parse


class Malformed(Exception):
    """The query cannot be decoded, or has a name that cannot be signed."""


def percent_decode(text, plus):
    if re.search(r"%(?![0-9A-Fa-f]{2})", text):
        raise Malformed(text)
    if plus == "space":
        text = text.replace("+", " ")
    try:
        return urllib.parse.unquote_to_bytes(text).decode("utf-8", "strict")
    except UnicodeDecodeError as error:
        raise Malformed(text) from error


def decode_name(name, plus):
    decoded = percent_decode(name, plus)
    if any(character in "=&" or unicodedata.category(character) == "Cc" for character in decoded):
        raise Malformed(name)
    return decoded


def parse(query, plus, names):
    pieces = [piece.partition("=") for piece in query.split("&") if piece != ""]
    decoded = [(name, decode_name(name, plus), percent_decode(value, plus)) for name, _, value in pieces]
    return [[name if names == "as-sent" else read, value] for name, read, value in decoded]


def canonical_resource(path, parameters):
    # Bytes of big-endian UTF-16 sort like UTF-16 code units; Python's own string order is by code point.
    in_order = sorted(parameters, key=lambda parameter: parameter[0].encode("utf-16-be"))
    return path + "".join(
        ("&" if index else "?") + name + "=" + value for index, (name, value) in enumerate(in_order)
    )


def content_md5(method, body, omit):
    participates = method.upper() in ("POST", "PUT") or len(body) > 0
    return base64.b64encode(hashlib.md5(body).digest()).decode() if participates and not omit else None


def string_to_sign(request, md5, resource):
    lines = [request["method"].upper(), md5, request["timestamp"], request["nonce"], resource]
    return "\n".join(line for line in lines if line is not None)


def digest(secret, text):
    return hmac.new(secret.encode(), text.encode(), hashlib.sha256).digest()


def sign(secret, text):
    return base64.b64encode(digest(secret, text)).decode()


def body_bytes(request):
    if "bodyBase64" in request:
        return base64.b64decode(request["bodyBase64"], validate=True)
    return request.get("body", "").encode()


def stages(request, plus, names="decoded"):
    path, _, query = request["target"].partition("?")
    parameters = parse(query, plus, names)
    md5 = content_md5(request["method"], body_bytes(request), request.get("omitContentMd5", False))
    resource = canonical_resource(path, parameters)
    return {
        "parameters": parameters,
        "contentMd5": md5,
        "canonicalResource": resource,
        "stringToSign": string_to_sign(request, md5, resource),
    }
