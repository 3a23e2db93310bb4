"""Hand-written inputs of the vectors that a verifier must refuse. derive.py computes the rest."""

import base64

from inputs_accepted import LIVE, get, vector
from mistakes import header_of, hex_digest, hex_md5, md5_of_hex, other_trailing_bits, resigned, resource, url_safe

BODY = '{"username":"li.wei","password":"Gr33n-Tea"}'


def bad_header(name, why, header, **changes):
    return get(name, why, "/user", outcome="malformed-header", header=header, **changes)


def bad_authorization(name, why, change):
    return bad_header(name, why, "Authorization", received={"authorization": change})


def bad_timestamp(name, why, timestamp, signer="refuses"):
    return bad_header(name, why, "Timestamp", timestamp=timestamp, signer=signer)


def expired(name, why, difference, **changes):
    return get(name, why, "/user", outcome="expired", differenceSeconds=difference, **changes)


def bad_query(name, why, query):
    return get(name, why, f"/user?{query}", outcome="malformed-query", signer="refuses")


def bad_name(name, why, query):
    # A signer may refuse it or not.
    return get(name, why, f"/user?{query}", outcome="malformed-query", signer="cannot-express")


def mismatch(name, why, method, target, received, **changes):
    return vector(name, why, method, target, received=received, outcome="mismatch", **changes)


AUTHORIZATION = [
    bad_authorization("authorization-missing", "no Authorization header", None),
    bad_authorization("authorization-empty", "an empty one", ""),
    bad_authorization("authorization-upper-case", "the prefix in upper case", lambda v: "CBS" + v["authorization"][3:]),
    bad_authorization("authorization-title-case", "the prefix in title case", lambda v: "Cbs" + v["authorization"][3:]),
    bad_authorization("authorization-other-scheme", "another prefix", lambda v: "cos" + v["authorization"][3:]),
    bad_authorization("authorization-bearer", "another scheme", "Bearer abcdef"),
    bad_authorization("authorization-no-prefix", "no prefix", lambda v: v["authorization"][4:]),
    bad_authorization("authorization-space-for-colon", "a space after the prefix",
                      lambda v: v["authorization"].replace(":", " ", 1)),
    bad_authorization("authorization-spaces-around-colons", "a space after each colon",
                      lambda v: v["authorization"].replace(":", ": ")),
    bad_authorization("authorization-leading-space", "a space in front", lambda v: " " + v["authorization"]),
    bad_authorization("authorization-trailing-space", "a space behind", lambda v: v["authorization"] + " "),
    bad_authorization("authorization-tab", "a tab", lambda v: v["authorization"].replace(":", ":\t", 1)),
    bad_authorization("authorization-line-feed", "a line feed behind", lambda v: v["authorization"] + "\n"),
    bad_authorization("authorization-one-part", "the prefix alone", "cbs"),
    bad_authorization("authorization-two-parts", "no signature", lambda v: f"cbs:{v['appId']}"),
    bad_authorization("authorization-four-parts", "a part too many", lambda v: v["authorization"] + ":x"),
    bad_authorization("authorization-trailing-colon", "an empty fourth part", lambda v: v["authorization"] + ":"),
    bad_authorization("authorization-empty-app-id", "an empty APPID", lambda v: f"cbs::{v['signature']}"),
    bad_authorization("authorization-empty-signature", "an empty signature", lambda v: f"cbs:{v['appId']}:"),
]

TIMESTAMP_AND_NONCE = [
    bad_header("timestamp-missing", "no Timestamp header", "Timestamp", received={"timestamp": None}),
    bad_timestamp("timestamp-empty", "an empty one", "", signer="cannot-express"),
    bad_timestamp("timestamp-words", "not a number", "now"),
    bad_timestamp("timestamp-negative", "negative", "-1700000000"),
    bad_timestamp("timestamp-signed", "a plus sign", "+1700000000", signer="cannot-express"),
    bad_timestamp("timestamp-fraction", "a fraction", "1700000000.5"),
    bad_timestamp("timestamp-exponent", "an exponent", "17e8", signer="cannot-express"),
    bad_timestamp("timestamp-hexadecimal", "hexadecimal", "0x6553f100", signer="cannot-express"),
    bad_timestamp("timestamp-date", "a date", "2023-11-14T22:13:20Z"),
    bad_timestamp("timestamp-trailing-space", "a space behind", "1700000000 ", signer="cannot-express"),
    bad_timestamp("timestamp-full-width", "digits that are not ASCII", "１７００００００００"),
    bad_timestamp("timestamp-17-digits", "17 digits", "00000001700000000", signer="cannot-express"),
    expired("timestamp-61-behind", "61 seconds old", 61, nowSeconds=1700000061),
    expired("timestamp-61-ahead", "61 seconds ahead", 61, nowSeconds=1699999939),
    expired("timestamp-milliseconds", "milliseconds are a time far ahead", 1698300000000, timestamp="1700000000000"),
    expired("timestamp-16-digits", "the most digits", 9007197554740991, timestamp="9007199254740991"),
    bad_header("nonce-missing", "no Nonce header", "Nonce", received={"nonce": None}),
    bad_header("nonce-empty", "an empty one", "Nonce", nonce="", signer="refuses"),
    bad_header("nonce-37", "one character too many", "Nonce", nonce="x" * 37, signer="refuses"),
    bad_header("nonce-braces", "a UUID in braces has 38", "Nonce", signer="refuses",
               nonce="{0b8f5f5e-3f6b-4c43-9f0e-0d8a3b1c7e55}"),
    bad_header("nonce-37-code-points", "counted in code points", "Nonce", nonce="😀" * 37, signer="refuses"),
    bad_header("nonce-line-feed", "would read as two parts", "Nonce", nonce="one\ntwo", signer="refuses"),
]

QUERIES = [
    bad_query("percent-alone", "a percent sign alone", "discount=100%"),
    bad_query("percent-one-digit", "one digit", "a=%4"),
    bad_query("percent-not-hexadecimal", "letters that are no digits", "a=1&b=%zz"),
    bad_query("percent-u", "an escape of another age", "a=%u674E"),
    bad_query("percent-in-name", "in a name", "%=1"),
    bad_query("percent-plus", "a plus sign in place of a digit", "a=%+1"),
    bad_query("not-utf-8-byte", "a byte that UTF-8 never has", "a=%FF"),
    bad_query("not-utf-8-truncated", "a sequence cut off", "username=%E6%9D"),
    bad_query("not-utf-8-interrupted", "a sequence interrupted", "username=%E6+%9D%8E"),
    bad_query("not-utf-8-continuation", "a sequence without its beginning", "a=%80"),
    bad_query("not-utf-8-overlong", "an overlong slash", "a=%C0%AF"),
    bad_query("not-utf-8-surrogate", "half of a surrogate pair", "a=%ED%A0%80"),
    bad_query("not-utf-8-beyond", "beyond U+10FFFF", "a=%F4%90%80%80"),
    bad_query("not-utf-8-gbk", "GBK in place of UTF-8", "username=%C0%EE%CE%B0"),
    bad_query("not-utf-8-name", "in a name without a value", "%FF"),
    bad_name("name-equals", "'=' inside a name: it would sign like a=b=c", "a%3Db=c&a=1"),
    bad_name("name-equals-only", "a name that is '='", "%3D=1"),
    bad_name("name-ampersand", "'&' inside a name: it would sign like two parameters", "a%26b=1"),
    bad_name("name-two-parameters", "two parameters in one name", "department%3DX%26search=Y"),
    bad_name("name-two-parameters-no-value", "two parameters in a name without a value", "a%3D1%26b"),
    bad_name("name-second-of-two", "in any name", "a=1&b%26c=2"),
    bad_name("name-line-feed", "a line feed", "a%0Ab=1"),
    bad_name("name-nul", "U+0000", "%00=1"),
    bad_name("name-delete", "U+007F", "a%7F=1"),
    bad_name("name-c1-control", "U+0085, a control character beyond ASCII", "a%C2%85=1"),
]

TAMPERED = [
    mismatch("tampered-method", "another method", "GET", "/user/role?user_id=1&role_id=2", {"method": "DELETE"}),
    mismatch("tampered-path", "another path", "GET", "/user/role?user_id=1", {"target": "/user/store?user_id=1"}),
    mismatch("tampered-path-case", "another case", "GET", "/user", {"target": "/User"}),
    mismatch("tampered-base-path", "the base path taken off", "GET", "/api/user", {"target": "/user"}),
    mismatch("tampered-value", "another value", "GET", "/user?user_id=1", {"target": "/user?user_id=2"}),
    mismatch("tampered-name", "another name", "GET", "/user?user_id=1", {"target": "/user?userid=1"}),
    mismatch("tampered-added", "a parameter added", "GET", "/user?user_id=1", {"target": "/user?user_id=1&a=1"}),
    mismatch("tampered-repeated", "repeated names in another order", "GET", "/user?a=1&a=2",
             {"target": "/user?a=2&a=1"}),
    mismatch("tampered-plus", "a plus sign for %2B, when a space follows elsewhere: neither reading fits", "GET",
             "/user?a=1%2B2&b=3%204", {"target": "/user?a=1+2&b=3+4"}),
    mismatch("tampered-name-encoding", "a name encoded twice: neither reading fits", "GET", "/user?user%5Fid=1",
             {"target": "/user?user%25255Fid=1"}),
    mismatch("tampered-names-and-plus", "four readings, none fits", "GET", "/user?a%20b=c+d",
             {"target": "/user?a%20b=d+c"}),
    mismatch("tampered-timestamp", "another second", "GET", "/user", {"timestamp": "1700000001"}),
    mismatch("tampered-timestamp-zeros", "the same second in other digits", "GET", "/user",
             {"timestamp": "01700000000"}),
    mismatch("tampered-nonce", "another nonce", "GET", "/user", {"nonce": "4f2b8c1e-9d47-4a60-8b15-6e0c7d2f9a34"}),
    mismatch("tampered-body", "another body", "POST", "/user", {"body": BODY.replace("Tea", "tea")}, body=BODY),
    mismatch("tampered-body-space", "the same JSON in other bytes", "POST", "/user",
             {"body": BODY.replace(":", ": ")}, body=BODY),
    mismatch("tampered-body-removed", "the body taken off", "POST", "/user", {"body": ""}, body=BODY),
    mismatch("tampered-body-added", "a body put on", "DELETE", "/user/role", {"body": "{}"}),
]

MISTAKES = [
    mismatch("secret-wrong", "another secret", "GET", "/user", {}, secrets=["n0t-4-real-secret-other"]),
    mismatch("secret-neither-of-two", "neither of two live secrets", "GET", "/user", {}, secrets=LIVE),
    mismatch("secret-case", "the secret in upper case", "GET", "/user", {}, secrets=["N0T-4-REAL-SECRET-7F3A9C"]),
    mismatch("signature-not-base64", "any text is a signature that does not match", "GET", "/user",
             header_of(lambda v: "nonsense!")),
    mismatch("signature-not-ascii", "U+0141 ends in the byte of 'A'", "GET", "/user",
             header_of(lambda v: "".join(chr(ord(c) + 0x100) for c in v["signature"]))),
    mismatch("signature-hexadecimal", "hexadecimal in place of Base64", "GET", "/user", header_of(hex_digest)),
    mismatch("signature-base64-of-hexadecimal", "Base64 of the hexadecimal text", "GET", "/user",
             header_of(lambda v: base64.b64encode(hex_digest(v).encode()).decode())),
    mismatch("signature-url-safe", "the other Base64 alphabet", "GET", "/user?a=4",
             header_of(url_safe)),
    mismatch("signature-unpadded", "the '=' left off", "GET", "/user", header_of(lambda v: v["signature"].rstrip("="))),
    mismatch("signature-trailing-bits", "another text of the same bytes", "GET", "/user",
             header_of(other_trailing_bits)),
    mismatch("signature-lower-case", "Base64 in lower case", "GET", "/user",
             header_of(lambda v: v["signature"].lower())),
    mismatch("signed-trailing-line-feed", "a line feed at the end", "GET", "/user",
             resigned(lambda text, v: text + "\n")),
    mismatch("signed-crlf", "CR LF between the parts", "GET", "/user",
             resigned(lambda text, v: text.replace("\n", "\r\n"))),
    mismatch("signed-no-separators", "nothing between the parts", "GET", "/user",
             resigned(lambda text, v: text.replace("\n", ""))),
    mismatch("signed-lower-case-method", "the method in lower case", "GET", "/user",
             resigned(lambda text, v: text.replace("GET", "get"))),
    mismatch("signed-empty-md5-line", "an empty line for the MD5 of no body", "GET", "/user",
             resigned(lambda text, v: text.replace("GET\n", "GET\n\n"))),
    mismatch("signed-md5-for-get", "the MD5 of zero bytes although GET has no body", "GET", "/user",
             resigned(lambda text, v: text.replace("GET\n", "GET\n1B2M2Y8AsgTpgAmY7PhCfg==\n"))),
    mismatch("signed-no-md5-for-post", "POST without the MD5", "POST", "/user",
             resigned(lambda text, v: text.replace(v["contentMd5"] + "\n", "")), body=BODY),
    mismatch("signed-no-md5-for-empty-post", "an empty POST without the MD5", "POST", "/user",
             resigned(lambda text, v: text.replace(v["contentMd5"] + "\n", ""))),
    mismatch("signed-hexadecimal-md5", "the MD5 in hexadecimal", "POST", "/user", resigned(hex_md5), body=BODY),
    mismatch("signed-md5-of-hexadecimal", "Base64 of the hexadecimal MD5", "POST", "/user", resigned(md5_of_hex),
             body=BODY),
    mismatch("signed-no-query", "the query left out", "GET", "/user?user_id=42", resigned(resource("/user"))),
    mismatch("signed-unsorted", "not sorted", "GET", "/user?b=1&a=2", resigned(resource("/user?b=1&a=2"))),
    mismatch("signed-sorted-by-pair", "sorted by name=value", "GET", "/user?a=1&a-b=2",
             resigned(resource("/user?a-b=2&a=1"))),
    mismatch("signed-sorted-ignoring-case", "sorted without regard to case", "GET", "/user?a=1&B=2",
             resigned(resource("/user?a=1&B=2"))),
    mismatch("signed-sorted-by-code-point", "sorted by code point", "GET", "/user?%EF%BC%A1=1&%F0%9F%98%80=2",
             resigned(resource("/user?Ａ=1&😀=2"))),
    mismatch("signed-sorted-repeated", "repeated names sorted by value", "GET", "/user?a=2&a=1",
             resigned(resource("/user?a=1&a=2"))),
    mismatch("signed-encoded", "values still encoded", "GET", "/user?username=li%20wei",
             resigned(resource("/user?username=li%20wei"))),
    mismatch("signed-decoded-twice", "values decoded twice", "GET", "/user?a=%252B", resigned(resource("/user?a=+"))),
    mismatch("signed-encoded-plus-as-space", "%2B as a space", "GET", "/user?a=1%2B2",
             resigned(resource("/user?a=1 2"))),
    mismatch("signed-decoded-path", "the path decoded", "GET", "/user/%E4%B8%AD", resigned(resource("/user/中"))),
    mismatch("signed-url", "the whole URL", "GET", "/user", resigned(resource("https://example.com/user"))),
    mismatch("signed-question-mark", "a bare '?' kept", "GET", "/user?", resigned(lambda text, v: text + "?")),
    mismatch("signed-no-equals", "a name without its '='", "GET", "/user?verbose", resigned(resource("/user?verbose"))),
]

UNKNOWN = {"secrets": None, "outcome": "unknown-application"}

ORDER = [
    get("application-unknown", "nobody has this APPID", "/user?a=1+2", plus="space", **UNKNOWN),
    get("application-without-secrets", "every secret was revoked", "/user", secrets=[], outcome="unknown-application"),
    get("application-case", "an APPID is compared exactly", "/user", appId="FIELDAPP01", **UNKNOWN),
    bad_header("order-authorization-first", "the first malformed header is the one told", "Authorization",
               received={"authorization": None, "timestamp": None, "nonce": None}),
    bad_header("order-timestamp-second", "Timestamp before Nonce", "Timestamp",
               received={"timestamp": "", "nonce": ""}),
    bad_header("order-header-before-application", "a malformed header before an unknown application", "Nonce",
               received={"nonce": ""}, secrets=None),
    get("order-application-before-timestamp", "an unknown application before an expired timestamp", "/user",
        nowSeconds=1800000000, **UNKNOWN),
    get("order-application-before-query", "an unknown application before a malformed query", "/user?a=%",
        signer="refuses", **UNKNOWN),
    get("order-timestamp-before-query", "an expired timestamp before a malformed query", "/user?a=%",
        signer="refuses", nowSeconds=1700000061, outcome="expired", differenceSeconds=61),
    get("order-timestamp-before-signature", "an expired timestamp before a wrong signature", "/user",
        secrets=LIVE, nowSeconds=1700000061, outcome="expired", differenceSeconds=61),
]

THEMES = {
    "refused-authorization": ("Authorization headers that are missing or malformed", AUTHORIZATION),
    "refused-timestamp-and-nonce": ("Timestamps and nonces that are malformed or too far away", TIMESTAMP_AND_NONCE),
    "refused-query": ("Queries that cannot be decoded, and names that cannot be signed", QUERIES),
    "refused-tampering": ("Requests changed after they were signed", TAMPERED),
    "refused-mistakes": ("What clients get wrong; each is a signature that does not match", MISTAKES),
    "refused-order": ("Unknown applications, and which fault is told when there are several", ORDER),
}
