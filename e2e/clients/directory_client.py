"""A client as integrators write them with Python's standard library: it walks through the interface once.

usage: directory_client.py URL APPID APPSECRET PREFIX STYLE
STYLE is "quote-plus" (a space travels as +, and + is signed as the space it means) or
"keep-plus" (a + travels as it is and is signed as +).
"""

import base64
import hashlib
import hmac
import http.client
import json
import random
import string
import sys
import time
import urllib.parse
import uuid

url, app_id, app_secret, prefix, style = sys.argv[1:6]
host = urllib.parse.urlsplit(url).netloc
nonces = [
    lambda: str(uuid.uuid4()),
    lambda: uuid.uuid4().hex,
    lambda: "".join(random.choices(string.ascii_letters + string.digits, k=10)),
]


def sign(method, target, body):
    timestamp = str(int(time.time()))
    nonce = random.choice(nonces)()
    parts = [method]
    if method in ("POST", "PUT"):
        parts.append(base64.b64encode(hashlib.md5(body).digest()).decode())
    parts += [timestamp, nonce, canonical_resource(target)]
    digest = hmac.new(app_secret.encode(), "\n".join(parts).encode(), hashlib.sha256).digest()
    return {
        "Authorization": "cbs:%s:%s" % (app_id, base64.b64encode(digest).decode()),
        "Timestamp": timestamp,
        "Nonce": nonce,
    }


def canonical_resource(target):
    path, _, query = target.partition("?")
    if not query:
        return path
    decode = urllib.parse.unquote_plus if style == "quote-plus" else urllib.parse.unquote
    pairs = [pair.partition("=") for pair in query.split("&")]
    pairs = sorted(((decode(name), decode(value)) for name, _, value in pairs), key=lambda pair: pair[0])
    return path + "?" + "&".join("%s=%s" % pair for pair in pairs)


def encode(value):
    if style == "quote-plus":
        return urllib.parse.quote_plus(str(value))
    return urllib.parse.quote(str(value), safe="+")


def call(method, path, query=None, body=None):
    target = path
    if query:
        target += "?" + "&".join("%s=%s" % (name, encode(value)) for name, value in query)
    sent = b"" if body is None else json.dumps(body).encode()
    headers = sign(method, target, sent)
    # One set of headers for every request, with or without a body.
    headers["Content-Type"] = "application/json"
    connection = http.client.HTTPConnection(host, timeout=30)
    connection.request(method, target, body=sent or None, headers=headers)
    response = connection.getresponse()
    text = response.read()
    connection.close()
    if response.status != 200:
        raise RuntimeError("transport failure: HTTP %d" % response.status)
    return json.loads(text)


def expect(code, answer):
    if answer["code"] != code:
        raise RuntimeError("expected code %d, got %s" % (code, answer))
    return answer.get("data")


plus = " " if style == "quote-plus" else "+"
username = prefix + plus + "a&b=c%40 张伟 🙂"
unset = {"real_name": None, "email": None, "phone": None, "avatar": None, "gender": 0}

created = expect(0, call("POST", "/user", body={"username": username, "password": "pässwörd", **unset}))
user_id = created["id"]
assert created["password"] == "pässwörd" and created["real_name"] == "", created

found = expect(0, call("GET", "/user", [("username", username), ("name", username), ("a", "")]))
assert found["id"] == user_id and found["username"] == username and found["gender"] == 0, found

expect(0, call("PUT", "/user", body={**unset, "id": user_id, "real_name": "张伟", "nickname": "伟"}))
expect(0, call("POST", "/user/role", body={"user_id": user_id, "role_id": 11}))
roles = expect(0, call("GET", "/user/role", [("user_id", user_id)]))["roles"]
assert [role["id"] for role in roles] == [11], roles
expect(0, call("POST", "/user/org", body={"org_id": 21, "user_id": user_id}))
expect(0, call("POST", "/user/store", body={"user_id": user_id, "store_code": "S000001"}))
stores = expect(0, call("GET", "/user/store", [("user_id", user_id)]))["stores"]
assert [store["code"] for store in stores] == ["S000001"], stores
expect(0, call("DELETE", "/user/store", [("user_id", user_id), ("store_code", "S000001")]))
expect(1402, call("DELETE", "/user/store", [("user_id", user_id), ("store_code", "S000001")]))
batch = {"username": username, "password": None, "ext_info": '{"k":"v"}', "store_codes": ["S000003", "S000002"]}
answer = call("POST", "/user/stores", body=batch)
assert answer["message"] and expect(0, answer) == {"id": user_id, "username": username}, answer
expect(1401, call("POST", "/user/stores", body={"username": username, "store_codes": ["nowhere"]}))
expect(0, call("DELETE", "/user/role", [("user_id", user_id), ("role_id", 11)]))
expect(0, call("DELETE", "/user/org", [("org_id", 21), ("user_id", user_id)]))
print(json.dumps({"id": user_id, "username": username}))
