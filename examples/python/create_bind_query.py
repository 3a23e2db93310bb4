"""Creates a user, binds it to a role, an organization and a store, and queries it. See README.md."""

import http.client
import json
import os
import sys
import urllib.error
import urllib.request
import uuid
from urllib.parse import urlencode, urlsplit

from request_signer import sign


TAKEN_EFFECT = "this signed request has already taken effect"


class Failure(Exception):
    """The envelope's code is not 0, or a setting is missing."""


class Client:
    def __init__(self, url, app_id, app_secret, timeout_seconds):
        parts = urlsplit(url)
        self.origin = f"{parts.scheme}://{parts.netloc}"
        self.base_path = parts.path.rstrip("/")
        self.app_id = app_id
        self.app_secret = app_secret
        self.timeout_seconds = timeout_seconds

    def call(self, method, path, query=None, fields=None):
        target = self.base_path + path + ("?" + urlencode(query) if query else "")
        # Serialised once: the bytes that are signed are the bytes that are sent.
        body = b"" if fields is None else json.dumps(fields, ensure_ascii=False).encode()
        headers = sign(self.app_id, self.app_secret, method, target, body)
        headers["Content-Type"] = "application/json"
        request = urllib.request.Request(self.origin + target, body or None, headers, method=method)
        try:
            envelope = self._send(request)
        except (OSError, http.client.HTTPException, ValueError):
            # The answer was lost. The same request, with the same signature, takes effect at most once.
            envelope = self._send(request)
        code, message = envelope["code"], envelope.get("message", "")
        if code == 1015 and message.startswith(TAKEN_EFFECT):
            # The first copy was applied, but its answer is lost.
            return None
        if code != 0:
            raise Failure(f"{method} {path} failed with code {code}: {message}")
        return envelope.get("data")

    def _send(self, request):
        try:
            with urllib.request.urlopen(request, timeout=self.timeout_seconds) as response:
                return self._read_envelope(response)
        except urllib.error.HTTPError as error:
            # The envelope says what happened, not the HTTP status.
            return self._read_envelope(error)

    def _read_envelope(self, response):
        envelope = json.loads(response.read())
        if not isinstance(envelope, dict) or "code" not in envelope:
            raise Failure(f"{response.url} answered without a code; check FIELDROSTER_URL")
        return envelope


def required(name):
    value = os.environ.get(name)
    if not value:
        raise Failure(f"set the environment variable {name}")
    return value


def main():
    env = os.environ
    credentials = [required(f"FIELDROSTER_{name}") for name in ("URL", "APP_ID", "APP_SECRET")]
    client = Client(*credentials, timeout_seconds=int(env.get("FIELDROSTER_TIMEOUT_SECONDS") or 30))
    username = env.get("FIELDROSTER_USERNAME") or f"example-{uuid.uuid4()}"
    role_id = int(env.get("FIELDROSTER_ROLE_ID") or 1)
    org_id = int(env.get("FIELDROSTER_ORG_ID") or 1)
    store_code = env.get("FIELDROSTER_STORE_CODE") or "N-001"
    user = {
        "username": username,
        "real_name": env.get("FIELDROSTER_REAL_NAME") or "Li Wei",
        "password": env.get("FIELDROSTER_PASSWORD") or str(uuid.uuid4()),
    }

    created = client.call("POST", "/user", fields=user) or client.call("GET", "/user", query={"username": username})
    user_id = created["id"]
    print(f"created user {user_id}")
    client.call("POST", "/user/role", fields={"user_id": user_id, "role_id": role_id})
    print(f"bound to role {role_id}")
    client.call("POST", "/user/org", fields={"user_id": user_id, "org_id": org_id})
    print(f"bound to organization {org_id}")
    client.call("POST", "/user/store", fields={"user_id": user_id, "store_code": store_code})
    print(f"bound to store {store_code}")

    found = client.call("GET", "/user", query={"username": username})
    print(f"found user {found['id']}: {found['username']} ({found['real_name']})")
    print(f"its role: {found['roles'][0]['id']}")
    print(f"its organization: {found['orgs'][0]['id']}")
    stores = client.call("GET", "/user/store", query={"user_id": user_id})["stores"]
    print(f"its store: {stores[0]['code']}")
    client.call("DELETE", "/user/store", query={"user_id": user_id, "store_code": store_code})
    print(f"unbound from store {store_code}")


if __name__ == "__main__":
    try:
        main()
    except (Failure, OSError, http.client.HTTPException, ValueError) as error:
        sys.exit(str(error))
