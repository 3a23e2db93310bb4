"""Runs the signer on the vectors of a directory: python3 vectors.py DIRECTORY. Exits 1 on any difference."""

import base64
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "examples" / "python"))

import request_signer as signer

counts = {"stages": 0, "signed": 0, "refused": 0}
differences = []


def expect(vector, stage, actual, expected):
    if actual != expected:
        differences.append(f"{vector['id']}: {stage} is {actual!r}, expected {expected!r}")


def body_of(vector):
    if "bodyBase64" in vector:
        return base64.b64decode(vector["bodyBase64"])
    return vector.get("body", "").encode()


def check_stages(vector):
    v = vector
    md5 = signer.content_md5(v["method"], body_of(v), v.get("omitContentMd5", False))
    resource = signer.canonical_resource(v["target"], v.get("plus", "space"))
    text = signer.string_to_sign(v["method"], md5, v["timestamp"], v["nonce"], resource)
    expect(v, "contentMd5", md5, v["contentMd5"])
    expect(v, "canonicalResource", resource, v["canonicalResource"])
    expect(v, "stringToSign", text, v["stringToSign"])
    expect(v, "signature", signer.signature(v["appSecret"], text), v["signature"])
    expect(v, "authorization", signer.authorization(v["appId"], v["signature"]), v["authorization"])
    counts["stages"] += 1


def sign(v):
    # No body is None here, and no bytes in the stages: a signer takes both.
    return signer.sign(v["appId"], v["appSecret"], v["method"], v["target"], body_of(v) or None,
                       timestamp=int(v["timestamp"]), nonce=v["nonce"],
                       omit_content_md5=v.get("omitContentMd5", False), plus=v.get("plus", "space"))


def check_signer(vector):
    headers = sign(vector)
    expect(vector, "Authorization", headers["Authorization"], vector["authorization"])
    expect(vector, "Timestamp", headers["Timestamp"], vector["timestamp"])
    expect(vector, "Nonce", headers["Nonce"], vector["nonce"])
    counts["signed"] += 1


def check_refusal(vector):
    try:
        sign(vector)
        differences.append(f"{vector['id']}: was signed, expected an error")
    except ValueError:
        counts["refused"] += 1


for file in sorted(pathlib.Path(sys.argv[1]).glob("*.json")):
    for vector in json.loads(file.read_text(encoding="utf-8"))["vectors"]:
        if vector["stringToSign"] is not None:
            check_stages(vector)
        if "signer" not in vector:
            check_signer(vector)
        # The signer takes its timestamp as a number, so it cannot be given any other text.
        elif vector["signer"] == "refuses" and vector["timestamp"].isascii() and vector["timestamp"].isdigit():
            check_refusal(vector)

for difference in differences:
    print(difference, file=sys.stderr)
print("stages={stages} signed={signed} refused={refused}".format(**counts))
sys.exit(1 if differences else 0)
