import { type ErrorCode, limits } from '@fieldroster/contract';

/** The causes of each code, from the caller's point of view. */
export const causes: Readonly<Record<ErrorCode, string>> = {
  1001:
    'A required field is missing, empty or null; a value has a different JSON type than the field (nothing is converted: `"1"` ' +
    'is not an integer), breaks a limit, or is not valid Unicode; a query parameter that the operation reads appears twice; a ' +
    'DELETE or an extension gets a parameter that it does not know or that is empty; a time is not in milliseconds, or a list would begin more than a day ahead; the query contains percent-encoding that cannot be decoded, or a name or value that could be [signed as other ' +
    'parameters](interface.md#the-corners). A body that [arrives too slowly](interface.md#how-large-a-body-may-be) and bytes that are not HTTP get ' +
    'this code as well, the latter with status 400, 408 or 431.',
  1002:
    'The body is empty, is not JSON, is not encoded in UTF-8, or is JSON but not an object, such as an array; or its arrays ' +
    `and objects are nested more than ${limits.bodyLevelsMax} levels deep, or it exceeds ` +
    'another [bound](interface.md#how-large-a-body-may-be) on the content of a body. Zero bytes are not the same as `{}`.',
  1003: 'The Content-Type is something other than JSON in UTF-8, or there is a Content-Encoding such as gzip.',
  1004:
    'The body has more bytes than the server reads on this path: 8 MiB on `/user/stores`, 32 MiB on `/users/batch` and ' +
    '`/stores`, 1 MiB on all others, unless the operator has changed it. A proxy in front of the server may allow less.',
  1005: 'The path is misspelt, or the base path that the operator configured is missing.',
  1006: 'The path exists, but not with this method. The `Allow` header lists its methods.',
  1011:
    'Authorization, Timestamp or Nonce is missing or was sent twice; Authorization is not `cbs:<APPID>:<Signature>` exactly; Timestamp is not ' +
    '1 to 16 digits; Nonce is empty or longer than 36 characters.',
  1012:
    'A clock is wrong, the timestamp is in milliseconds, or the request waited in a queue after it was signed. A difference ' +
    'of 60 seconds is accepted, 61 is not. A write is also refused when it arrives so late that the record of writes with ' +
    'its timestamp was purged: the server can no longer know whether it is new. This happens after a server clock ran ahead, and for 90 seconds after a restore. The answer has a `Retry-After` if it helps to wait.',
  1013:
    'The APPID is misspelt, belongs to another deployment, was revoked or suspended, or has expired. All of these look the ' +
    'same, unless the signature is right: then the message says that the application is suspended or expired.',
  1014:
    'What was signed is not what was sent: the JSON was serialized again after signing, the parameters were signed encoded ' +
    'or unsorted, the base path was left out; or the APPSECRET is a different one, or has expired.',
  1015:
    'A write was sent again with the same signature after it had taken effect, as happens when an answer ' +
    'is lost and the client, or its HTTP library, tries again. Under `--replay nonce`, also a read or a write with a nonce that was used before.',
  1016:
    'The scope of the application (`read`, `write` or `manage`) does not include what the operation does; deleting a user ' +
    'who is disabled needs `manage`. Or the application may only call from certain addresses, and the request came from another one.',
  1017: 'The request names the revision that it expects, and the data has changed since that revision was read, by somebody else or by an earlier attempt of the same client.',
  1101: 'No user of the tenant has that id or username. A user of another tenant gets the same answer as one that never existed.',
  1102: 'Another user of the tenant has the username. Usernames are compared exactly, including upper and lower case.',
  1103: 'Both identifiers were sent and the user with that id has another username.',
  1104: "The password check got a username that nobody has, the name of a user without a password, or a password that is not that user's.",
  1105: 'The password check got the right password of a user whose status is `disabled`.',
  1201: 'No role of the tenant has that id. Operators import roles, and applications with the scope `manage` create them.',
  1202: 'The user has no role, or has another one.',
  1203: 'The request removes a role while users are bound to it.',
  1204: 'The request creates a role with an id that another role of the tenant has.',
  1301: 'No organization of the tenant has that id. Operators import organizations, and applications with the scope `manage` create them.',
  1302: 'The user has no organization, or has another one.',
  1303: 'The request removes an organization while users are bound to it, or other organizations are below it.',
  1304: 'The request creates an organization with an id that another organization of the tenant has.',
  1305: 'The new parent is the organization itself, or an organization below it.',
  1401: 'One or more of the stores do not exist in this tenant. The message lists up to 100 of their codes. Operators import stores, and applications with the scope `manage` create them.',
  1402: 'The user is not bound to that store.',
  1403: 'The request removes a store while users are bound to it.',
  1404: 'The request creates a store with a code that another store of the tenant has.',
  1429:
    'The application made more requests within a second than the operator allows (`--rate-limit`), or the password check ' +
    'had too many [wrong passwords](operating.md#wrong-passwords) within a minute. ' +
    'A client also gets it when more than 50 requests wait on one connection behind another one, or when too many of its requests ' +
    'wait on all its connections together: it must read answers before it sends more.',
  1500:
    'Something failed in the server. If the connection to the database broke during a commit and the database did not ' +
    'come back in time, or its synchronous replica did not confirm the commit, the message says that the outcome is ' +
    'unknown: the write took effect as a whole or not at all.',
  1503:
    'More requests arrive than the server can handle, too many calls of the application are already waiting, ' +
    'another process keeps the database locked, the database does not answer or cannot be used, or the clock of the ' +
    'server is far from that of its database. This attempt ' +
    'of a write has had no effect, and will have none. An earlier attempt may have had one if its answer was lost.',
};
