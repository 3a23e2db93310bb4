#!/usr/bin/env python3
"""Derives every expected value of the signing vectors from inputs_*.py and writes the JSON files beside this one.

It shares no code with the TypeScript implementation, so that a mistake in one shows in the other.

    python3 derive.py           writes the files
    python3 derive.py --check   derives again, compares, and exits 1 on any difference
"""

import base64
import json
import pathlib
import shutil
import subprocess
import sys

# Python must not write compiled files here: the directory is published as it is.
sys.dont_write_bytecode = True

import inputs_accepted  # noqa: E402
import inputs_refused  # noqa: E402
from stages import Malformed, body_bytes, sign, stages  # noqa: E402

DIRECTORY = pathlib.Path(__file__).resolve().parent
THEMES = {**inputs_accepted.THEMES, **inputs_refused.THEMES}
DEFAULTS = {
    "appId": "fieldapp01",
    "appSecret": "n0t-4-real-secret-7f3a9c",
    "timestamp": "1700000000",
    "nonce": "3f2b8c1e-9d47-4a60-8b15-6e0c7d2f9a34",
}
OPENSSL_SAMPLES = 12
LINE_WIDTH = 110


# --- one vector -------------------------------------------------------------------------------------------


def derive(given):
    request = {key: given.get(key, DEFAULTS.get(key)) for key in ("appId", "appSecret", "method", "target")}
    request |= {key: given.get(key, DEFAULTS[key]) for key in ("timestamp", "nonce")}
    request |= {key: given[key] for key in ("body", "bodyBase64", "omitContentMd5", "plus") if key in given}
    vector = {"id": given["id"], "why": given["why"], **request}
    if "signer" in given:
        vector["signer"] = given["signer"]
    vector |= expected_stages(request)
    vector["verification"] = verification(given, request, vector)
    return vector


def expected_stages(request):
    try:
        values = stages(request, request.get("plus", "space"))
    except Malformed:
        # No string to sign exists, so the header carries the signature of another string.
        signature = sign(request["appSecret"], "no string to sign")
        values = {"parameters": None, "contentMd5": None, "canonicalResource": None, "stringToSign": None}
        values |= {"signature": None, "authorization": f"cbs:{request['appId']}:{signature}"}
        return values
    values["signature"] = sign(request["appSecret"], values["stringToSign"])
    values["authorization"] = f"cbs:{request['appId']}:{values['signature']}"
    return values


def verification(given, request, vector):
    result = {"nowSeconds": given.get("nowSeconds", 1700000000)}
    result["secrets"] = given.get("secrets", [request["appSecret"]])
    received = {key: value(vector) if callable(value) else value for key, value in given.get("received", {}).items()}
    if received:
        result["received"] = received
    result["outcome"] = given.get("outcome", "verified")
    if result["outcome"] == "verified":
        result["secretIndex"] = result["secrets"].index(request["appSecret"])
    if "namesAsSent" in given:
        as_sent = stages(request, given["namesAsSent"], "as-sent")
        signature = sign(request["appSecret"], as_sent["stringToSign"])
        assert signature != vector["signature"], f"{given['id']}: both readings of the names are the same"
        result["received"] = {"authorization": f"cbs:{request['appId']}:{signature}"}
        result["parameters"] = as_sent["parameters"]
    if result["outcome"] == "mismatch":
        result["stringsToSign"] = server_strings({**request, **received})
    if "header" in given:
        result["header"] = given["header"]
    if "differenceSeconds" in given:
        result["differenceSeconds"] = given["differenceSeconds"]
    return result


def server_strings(request):
    readings = [stages(request, plus, names) for names in ("decoded", "as-sent") for plus in ("space", "literal")]
    return list(dict.fromkeys(reading["stringToSign"] for reading in readings))


# --- the files --------------------------------------------------------------------------------------------


def files():
    for theme, (about, inputs) in THEMES.items():
        document = {"theme": theme, "about": about, "vectors": [derive(given) for given in inputs]}
        yield DIRECTORY / f"{theme}.json", document


def pretty(value, indent="", column=0):
    """Formats JSON as the project's formatter does: objects on several lines, arrays on one line if they fit."""
    one_line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or not value:
        return one_line
    inner = indent + "  "
    if isinstance(value, dict):
        keys = [(json.dumps(key, ensure_ascii=False) + ": ", item) for key, item in value.items()]
        lines = [f"{inner}{key}{pretty(item, inner, len(inner + key))}" for key, item in keys]
        return "{\n" + ",\n".join(lines) + "\n" + indent + "}"
    if column + len(one_line) < LINE_WIDTH and not any(isinstance(item, dict) for item in value):
        return one_line
    return "[\n" + ",\n".join(inner + pretty(item, inner, len(inner)) for item in value) + "\n" + indent + "]"


def encode(document):
    return (pretty(document) + "\n").encode()


def openssl(arguments, data):
    return subprocess.run(["openssl", "dgst", "-binary", *arguments], input=data, capture_output=True, check=True).stdout


def openssl_differences(vectors):
    """Yields where openssl, a third implementation, disagrees with an evenly spread sample of the vectors."""
    signed = [vector for vector in vectors if vector["signature"] is not None]
    for vector in signed[:: max(1, len(signed) // OPENSSL_SAMPLES)]:
        key = vector["appSecret"].encode().hex()
        mac = openssl(["-sha256", "-mac", "HMAC", "-macopt", f"hexkey:{key}"], vector["stringToSign"].encode())
        if base64.b64encode(mac).decode() != vector["signature"]:
            yield f"{vector['id']}: openssl computes another signature"
        md5 = base64.b64encode(openssl(["-md5"], body_bytes(vector))).decode()
        if vector["contentMd5"] not in (None, md5):
            yield f"{vector['id']}: openssl computes another MD5"


def differences():
    documents = dict(files())
    vectors = [vector for document in documents.values() for vector in document["vectors"]]
    ids = [vector["id"] for vector in vectors]
    yield from (f"{name}: the id is used twice" for name in sorted({name for name in ids if ids.count(name) > 1}))
    for path in sorted(set(DIRECTORY.glob("*.json")) - set(documents)):
        yield f"{path.name}: not written by this script"
    for path, document in documents.items():
        if not path.exists() or path.read_bytes() != encode(document):
            yield f"{path.name}: differs from what the inputs give; run python3 derive.py"
    if shutil.which("openssl"):
        yield from openssl_differences(vectors)


def main():
    if sys.argv[1:] == ["--check"]:
        found = list(differences())
        print("\n".join(found) if found else "vectors: no difference")
        return 1 if found else 0
    for path, document in files():
        path.write_bytes(encode(document))
    return 0


if __name__ == "__main__":
    sys.exit(main())
