"""Sends a body over the limit and prints what the sender gets to read.

usage: oversized_body.py URL PATH BYTES
"""

import http.client
import json
import sys
import urllib.parse

url, path, size = sys.argv[1], sys.argv[2], int(sys.argv[3])
connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=60)
headers = {"Content-Type": "application/json", "Authorization": "cbs:a:b", "Timestamp": "1", "Nonce": "n"}
connection.request("POST", path, body=b"x" * size, headers=headers)
response = connection.getresponse()
print(json.dumps({"status": response.status, "code": json.loads(response.read())["code"]}))
