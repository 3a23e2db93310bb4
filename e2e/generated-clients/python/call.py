"""Creates a user with the generated client, signs at the last moment before sending, and prints what it finds."""

import json
import os
import sys
from urllib.parse import urlsplit

import fieldroster
import urllib3
from fieldroster.api.users_api import UsersApi
from request_signer import sign


class SigningPool(urllib3.PoolManager):
    def urlopen(self, method, url, redirect=True, **keywords):
        parts = urlsplit(url)
        target = parts.path + ("?" + parts.query if parts.query else "")
        body = (keywords.get("body") or "").encode()
        headers = sign(os.environ["FIELDROSTER_APP_ID"], os.environ["FIELDROSTER_APP_SECRET"], method, target, body)
        # A pool that sends a lost request again by itself would use the same nonce.
        keywords.update(body=body or None, headers={**keywords["headers"], **headers}, retries=False)
        return super().urlopen(method, url, redirect, **keywords)


client = fieldroster.ApiClient(fieldroster.Configuration(host=os.environ["FIELDROSTER_URL"]))
client.rest_client.pool_manager = SigningPool()
users = UsersApi(client)
username = "by.python 李"
created = users.create_user({"username": username, "password": "Gr33n-Tea"})
found = users.query_user(username=username)
json.dump([created.code, type(found.data).__name__, found.data.id == created.data.id, found.data.username], sys.stdout)
