"""Hand-written inputs of the vectors that must verify. derive.py computes the expected values."""


def vector(name, why, method, target, **changes):
    return {"id": name, "why": why, "method": method, "target": target, **changes}


def get(name, why, target, **changes):
    return vector(name, why, "GET", target, **changes)


def post(name, why, body, **changes):
    return vector(name, why, "POST", "/user", body=body, **changes)


USER = '{"username":"li.wei","password":"Gr33n-Tea","real_name":"Li Wei"}'

METHODS = [
    get("get-no-query", "no body and no query: the path alone is the resource", "/user"),
    get("get-one-parameter", "one parameter after the path", "/user?user_id=42"),
    vector("post-json", "POST signs its body's MD5", "POST", "/user", body=USER),
    vector("put-json", "PUT signs its body's MD5", "PUT", "/user", body='{"id":42,"nickname":"Wei"}'),
    vector("delete-query", "DELETE without a body has no MD5 line", "DELETE", "/user/role?user_id=42&role_id=7"),
    vector("delete-no-query", "DELETE of a path alone", "DELETE", "/user/role"),
    vector("delete-body", "a DELETE that carries a body signs its MD5", "DELETE", "/user/role", body='{"user_id":42}'),
    vector("get-body", "a GET that carries a body signs its MD5", "GET", "/user?user_id=42", body="{}"),
    vector("get-empty-body", "zero bytes are no body for GET", "GET", "/user?user_id=42", body=""),
    vector("delete-empty-body", "zero bytes are no body for DELETE", "DELETE", "/user/org?user_id=1", body=""),
    vector("post-empty-body", "POST signs the MD5 of zero bytes", "POST", "/user", body=""),
    vector("post-no-body", "no body at all signs like zero bytes", "POST", "/user"),
    vector("put-empty-body", "PUT signs the MD5 of zero bytes", "PUT", "/user", body=""),
    vector("post-query-and-body", "query and body are both signed", "POST", "/user/stores?trace=b&mode=a", body="{}"),
    vector("patch-no-body", "any other method: no MD5 without a body", "PATCH", "/user"),
    vector("patch-body", "any other method: the MD5 of a body", "PATCH", "/user", body="{}"),
    vector("method-lower-case", "the method is signed in upper case", "post", "/user", body="{}"),
]

PATHS = [
    get("path-base", "the base path is part of the resource", "/api/open/v1/user/store?user_id=42"),
    get("path-root", "the shortest path", "/"),
    get("path-encoded", "a path stays encoded", "/user/%E4%B8%AD"),
    get("path-encoded-lower-case", "and keeps the case of its hexadecimal digits", "/user%2frole"),
    get("path-malformed-percent", "a path is never decoded, so nothing in it is malformed", "/user/100%"),
    get("path-plus", "a plus sign in the path is no matter of readings", "/user+role?user_id=42"),
    get("path-trailing-slash", "a slash at the end is kept", "/user/"),
    get("path-dots", "dots and doubled slashes are kept", "//user/../user/./store"),
]

QUERY_ORDER = [
    get("order-sorted", "already in order", "/user?user_id=42&username=li.wei"),
    get("order-unsorted", "sorted for signing; the URL goes out as it is", "/user?username=li.wei&user_id=42"),
    get("order-hyphen-name", "by name, not by name=value: '-' is before '='", "/user?a-b=2&a=1"),
    get("order-digit-name", "by name: '1' is before '=' too", "/user?a1=2&a=1&a10=3"),
    get("order-prefix", "a name before the names it begins", "/user?store_code=2&store=1"),
    get("order-case", "upper case before lower case", "/user?b=1&B=2&a=3&A=4"),
    get("order-underscore", "'_' is between upper and lower case", "/user?ab=1&a_b=2&aB=3"),
    get("order-encoded-names", "by the decoded name", "/user?%62=1&a=2&%41=3"),
    get("order-chinese-names", "names beyond ASCII", "/user?%E9%97%A8%E5%BA%97=1&%E4%BA%BA%E5%91%98=2&z=3"),
    get("order-non-bmp-name", "by UTF-16 code unit: U+1F600 is before U+FF21",
        "/user?%EF%BC%A1=1&%F0%9F%98%80=2"),
    get("order-private-use-name", "by UTF-16 code unit: U+10000 is before U+E000",
        "/user?%EE%80%80=1&%F0%90%80%80=2"),
    get("order-two-non-bmp-names", "surrogate pairs among themselves", "/user?%F0%9F%98%81=1&%F0%9F%98%80=2"),
    get("order-repeated", "a repeated name keeps its order", "/user?a=2&b=0&a=1&a=3"),
    get("order-repeated-encodings", "repeated although encoded differently", "/user?a=2&%61=1"),
    get("order-many", "a dozen parameters, some repeated",
        "/user?l=1&k=2&j=3&c=9&i=4&h=5&g=6&c=8&f=7&e=8&d=9&c=7&b=1&a=2"),
]

QUERY_PIECES = [
    get("piece-empty-value", "an empty value keeps its '='", "/user?username="),
    get("piece-no-equals", "a name without '=' signs as name=", "/user?verbose&user_id=42"),
    get("piece-bare-question-mark", "a bare '?' is no query", "/user?"),
    vector("piece-bare-question-mark-post", "a bare '?' is no query", "POST", "/user?", body="{}"),
    get("piece-empty-pieces", "empty pieces are skipped", "/user?&a=1&&b=2&"),
    get("piece-only-ampersands", "nothing but empty pieces is no query", "/user?&&"),
    get("piece-empty-name", "a value without a name", "/user?=1&a=2"),
    get("piece-equals-in-value", "split at the first '='", "/user?token=YQ==&a=1"),
    get("piece-encoded-equals", "'=' inside an encoded value", "/user?filter=a%3Db"),
    get("piece-encoded-ampersand", "'&' inside an encoded value separates nothing", "/user?name=Tea%26Co&a=1"),
    get("piece-second-question-mark", "a second '?' is part of the value", "/user?next=/a?b=1"),
    get("piece-semicolon", "';' separates nothing", "/user?a=1;b=2"),
    get("piece-encoded-hash", "an encoded '#'", "/user?tag=%23vip"),
    get("piece-raw-hash", "a '#' is nothing special", "/user?a=1#b"),
    get("piece-int64", "digits stay text", "/user?user_id=9223372036854775807"),
]

QUERY_ENCODING = [
    get("plus-as-space", "'+' signed as a space", "/user?username=li+wei", plus="space"),
    get("plus-as-plus", "'+' signed as itself: accepted as well", "/user?username=li+wei", plus="literal"),
    get("plus-repeated-as-space", "every '+' is read alike", "/user?a=+1++2+&b=+", plus="space"),
    get("plus-repeated-as-plus", "every '+' is read alike", "/user?a=+1++2+&b=+", plus="literal"),
    get("plus-and-encoded-plus-as-space", "only the bare '+' is a space", "/user?a=1+2%2B3", plus="space"),
    get("plus-and-encoded-plus-as-plus", "both are plus signs", "/user?a=1+2%2B3", plus="literal"),
    get("plus-in-name-as-space", "names are read like values", "/user?a+b=1&a%20a=2", plus="space"),
    get("plus-in-name-as-plus", "names are read like values", "/user?a+b=1&a%20a=2", plus="literal"),
    get("plus-changes-order-as-space", "' ' and '+' sort on two sides of '!'", "/user?a!=1&a+=2", plus="space"),
    get("plus-changes-order-as-plus", "' ' and '+' sort on two sides of '!'", "/user?a!=1&a+=2", plus="literal"),
    get("encoded-plus", "%2B is a plus sign in either reading", "/user?phone=%2B8613800000000"),
    get("encoded-space", "%20 is a space", "/user?username=li%20wei"),
    get("encoded-percent-2b", "decoded once only: %252B is %2B", "/user?a=%252B"),
    get("encoded-percent-20", "decoded once only: %2520 is %20", "/user?a=%2520"),
    get("encoded-percent", "a percent sign", "/user?discount=100%25"),
    get("encoded-lower-case", "hexadecimal digits in lower case", "/user?a=%e4%b8%ad%2f"),
    get("encoded-needlessly", "encoded although it need not be", "/user?%75ser_id=%34%32"),
    get("encoded-line-feed", "a line feed in a value is signed as it is", "/user?note=one%0Atwo"),
    get("encoded-nul", "U+0000 in a value", "/user?a=%00"),
    get("utf-8-chinese", "Chinese", "/user?username=%E6%9D%8E%E4%BC%9F"),
    get("utf-8-emoji", "beyond the basic plane", "/user?nickname=%F0%9F%98%80%F0%9F%91%8D%F0%9F%8F%BD"),
    get("utf-8-two-bytes", "two-byte sequences", "/user?real_name=Jos%C3%A9%20%C3%85s"),
    get("utf-8-not-normalised", "e and a combining accent stay two characters", "/user?a=e%CC%81"),
    get("utf-8-byte-order-mark", "a byte order mark is kept", "/user?a=%EF%BB%BFx"),
]

def as_sent(name, why, target, plus="space", **changes):
    """Returns a vector of a client that signs names as they appear in the URL and decodes only values."""
    return get(name, why, target, namesAsSent=plus, **changes)


NAMES_AS_SENT = [
    as_sent("names-as-sent", "names signed as they stand in the URL: accepted as well", "/user?user%5Fid=42"),
    as_sent("names-as-sent-values-decoded", "the values are decoded all the same",
            "/user?%E5%90%8D=%E6%9D%8E&username=li%20wei"),
    as_sent("names-as-sent-order", "sorted as they stand: '%' is before letters", "/user?b=1&%63=2&a=3"),
    as_sent("names-as-sent-case", "the case of hexadecimal digits is kept", "/user?caf%c3%a9=1&caf%C3%A8=2"),
    as_sent("names-as-sent-plus", "'+' in a name is kept, in a value it is a space", "/user?a+b=c+d"),
    as_sent("names-as-sent-plus-literal", "'+' is kept in both, and the name stays encoded", "/user?a%20b=c+d",
            plus="literal"),
    as_sent("names-as-sent-decoded-once", "an encoded percent sign stays encoded", "/user?a%2541=1"),
    as_sent("names-as-sent-no-value", "a name without '='", "/user?na%6De"),
    as_sent("names-as-sent-repeated", "repeated in one reading, two names in the other", "/user?a=2&%61=1"),
]

BODY = [
    post("body-spaces", "white space is signed", '{ "username" : "li.wei" ,\n  "password" : "x" }\n'),
    post("body-crlf", "line ends are signed as sent", '{\r\n"username":"li.wei"\r\n}'),
    post("body-escapes", "\\u escapes are signed as sent", '{"real_name":"\\u674e\\u4f1f"}'),
    post("body-utf-8", "the same text in UTF-8 is another body", '{"real_name":"李伟"}'),
    post("body-emoji", "beyond the basic plane", '{"nickname":"😀"}'),
    post("body-key-order-1", "keys in one order", '{"a":1,"b":2}'),
    post("body-key-order-2", "keys in the other order", '{"b":2,"a":1}'),
    post("body-unset-fields", "unset fields, as typed clients send them",
         '{"username":"li.wei","email":null,"gender":0}'),
    post("body-not-json", "the body's meaning is not looked at", "username=li.wei&password=x"),
    post("body-line-feed", "one line feed", "\n"),
    post("body-64-bytes", "exactly one block of MD5", "x" * 64),
    post("body-55-bytes", "the longest that pads into one block", "x" * 55),
    post("body-56-bytes", "the shortest that pads into two blocks", "x" * 56),
    post("body-several-blocks", "a batch of store codes",
         '{"username":"li.wei","store_codes":["' + '","'.join(f"S{n:05}" for n in range(120)) + '"]}'),
    vector("body-binary", "bytes that are not UTF-8", "POST", "/user", bodyBase64="AP+AwK/toIDw"),
    vector("body-zero-byte", "one zero byte is not an empty body", "POST", "/user", bodyBase64="AA=="),
    vector("body-byte-order-mark", "a byte order mark is signed", "PUT", "/user", bodyBase64="77u/e30="),
    vector("body-binary-delete", "one byte is a body", "DELETE", "/user", bodyBase64="AA=="),
    vector("upload-post", "an image upload leaves the MD5 out", "POST", "/ir/image",
           bodyBase64="iVBORw0KGgoAAAANSUhEUg==", omitContentMd5=True),
    vector("upload-put", "an image upload with a query", "PUT", "/ir/image?b=2&a=1",
           bodyBase64="/9j/4AAQSkZJRg==", omitContentMd5=True),
    vector("upload-empty", "left out for zero bytes too", "POST", "/ir/image", body="", omitContentMd5=True),
]

LONG_SECRET = "a-secret-longer-than-one-block-of-sha-256-is-hashed-before-it-becomes-a-key-0123456789"
LIVE = ["n0t-4-real-secret-older-1", "n0t-4-real-secret-newer-2"]

HEADERS = [
    get("nonce-uuid", "36 characters, the longest", "/user", nonce="0b8f5f5e-3f6b-4c43-9f0e-0d8a3b1c7e55"),
    get("nonce-hex", "32 hexadecimal digits", "/user", nonce="9e107d9d372bb6826bd81d3542a419d6"),
    get("nonce-10", "10 letters and digits", "/user", nonce="aZ3kP09xQw"),
    get("nonce-1", "the shortest", "/user", nonce="0"),
    get("nonce-punctuation", "no alphabet is prescribed", "/user", nonce="a:b/c+d=?&%20"),
    get("nonce-inner-space", "a space inside", "/user", nonce="one two"),
    get("nonce-36-code-points", "characters are code points, not UTF-16 code units", "/user", nonce="😀" * 36),
    get("timestamp-60-behind", "exactly 60 seconds old", "/user", nowSeconds=1700000060),
    get("timestamp-60-ahead", "exactly 60 seconds ahead", "/user", nowSeconds=1699999940),
    get("timestamp-zero", "the epoch itself", "/user", timestamp="0", nowSeconds=0),
    get("timestamp-leading-zeros", "signed as written", "/user", timestamp="0000001700000000",
        signer="cannot-express"),
    get("app-id-punctuation", "an APPID brought from elsewhere", "/user", appId="tenant-a.sync_01@eu"),
    get("secret-short", "one character", "/user", appSecret="k"),
    get("secret-64-bytes", "exactly one block of SHA-256", "/user", appSecret="0123456789abcdef" * 4),
    get("secret-long", "longer than one block", "/user", appSecret=LONG_SECRET),
    get("secret-utf-8", "the key is the secret's UTF-8", "/user", appSecret="秘密-ключ-😀"),
    get("secret-base64-look", "a secret that looks like Base64 is not decoded", "/user",
        appSecret="c2VjcmV0LWtleS1ieXRlcw=="),
    get("secret-first-of-two", "during a rotation: the older", "/user?a=1", appSecret=LIVE[0], secrets=LIVE),
    get("secret-second-of-two", "during a rotation: the newer", "/user?a=1", appSecret=LIVE[1], secrets=LIVE),
    vector("secret-second-and-plus", "both readings of '+' are tried with both secrets", "DELETE",
           "/user/store?user_id=42&store_code=A+1", plus="literal", appSecret=LIVE[1], secrets=LIVE),
]

THEMES = {
    "methods": ("Methods, and when the body's MD5 takes part", METHODS),
    "paths": ("The path is signed as it was sent", PATHS),
    "query-order": ("Parameters sort by decoded name, by UTF-16 code unit, stably", QUERY_ORDER),
    "query-pieces": ("How a query splits into parameters", QUERY_PIECES),
    "query-encoding": ("Percent-encoding, UTF-8 and the two readings of '+'", QUERY_ENCODING),
    "query-names-as-sent": ("Clients that sign parameter names as they stand in the URL", NAMES_AS_SENT),
    "body": ("Bodies are signed as the bytes sent", BODY),
    "headers": ("Nonces, timestamps, APPIDs and secrets that are accepted", HEADERS),
}
