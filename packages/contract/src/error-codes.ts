/** The meaning of one envelope code and its HTTP status. */
export interface ErrorCodeEntry {
  /** A stable name for logs, typed clients and documentation anchors. */
  readonly name: string;
  /** The HTTP status under `--http-status standard`. */
  readonly standardStatus: number;
  /**
   * True where the failure does not concern an operation (no such path, an overloaded server). Such an answer
   * carries its status in every mode. All others are sent with 200 by default, because deployed clients read
   * the envelope of a 200 only.
   */
  readonly statusAlwaysSent: boolean;
  readonly meaning: string;
  /** Advice to the caller. */
  readonly cure: string;
  /** Beginnings of messages that programs may read, because the code alone does not tell enough. They never change. */
  readonly fixedBeginnings?: readonly FixedBeginning[];
}

interface FixedBeginning {
  readonly text: string;
  /** The fact that such a message adds to the code. */
  readonly tells: string;
}

/** The error catalogue. A published code keeps its meaning; new codes may join the ranges. */
export const errorCodes = {
  1001: {
    name: 'invalid-parameter',
    standardStatus: 400,
    statusAlwaysSent: false,
    meaning: 'a parameter is missing or invalid',
    cure: 'The message names the parameter and the rule that it breaks; correct that value and send a newly signed request.',
  },
  1002: {
    name: 'invalid-body',
    standardStatus: 400,
    statusAlwaysSent: false,
    meaning: 'the body is not a JSON object',
    cure: 'Send one JSON object, encoded in UTF-8. An operation with no optional field to set still needs the object itself.',
  },
  1003: {
    name: 'unsupported-content',
    standardStatus: 415,
    statusAlwaysSent: false,
    meaning: 'the content type or content encoding is not supported',
    cure: 'Send Content-Type: application/json (or none) and no Content-Encoding.',
  },
  1004: {
    name: 'body-too-large',
    standardStatus: 413,
    statusAlwaysSent: true,
    meaning: 'the body is larger than the limit',
    cure: 'Send less in one request, or ask the operator to raise the limit named in the message.',
  },
  1005: {
    name: 'no-such-operation',
    standardStatus: 404,
    statusAlwaysSent: true,
    meaning: 'no such operation',
    cure: 'Compare the path, including the base path, with the table of operations.',
  },
  1006: {
    name: 'method-not-supported',
    standardStatus: 405,
    statusAlwaysSent: true,
    meaning: 'the path does not support this method',
    cure: 'Use one of the methods that the Allow header lists.',
  },
  1011: {
    name: 'malformed-signing-headers',
    standardStatus: 401,
    statusAlwaysSent: false,
    meaning: 'signing headers missing or malformed',
    cure: 'Send Authorization, Timestamp and Nonce in the form that the message describes.',
  },
  1012: {
    name: 'timestamp-expired',
    standardStatus: 401,
    statusAlwaysSent: false,
    meaning: 'the timestamp is outside the 60-second window',
    cure: "Set the clock, and sign again with the current time in seconds. A program corrects its time by the Date header of the answer. For a write, first check whether an earlier attempt without an answer took effect. If the message says that a record was purged, wait for Retry-After, which is up to 90 seconds after a restore, and sign again; without a Retry-After, sign again at once. If the new signature is refused too, ask the operator to check the servers' clocks.",
    fixedBeginnings: [
      {
        text: 'the record of requests up to Timestamp',
        tells:
          'the clock may be right; the record that would show whether this write took effect before was purged',
      },
    ],
  },
  1013: {
    name: 'unknown-application',
    standardStatus: 401,
    statusAlwaysSent: false,
    meaning: 'unknown or revoked application',
    cure: 'Check the APPID; ask the operator whether it was issued here and whether it is active, suspended, expired or revoked.',
  },
  1014: {
    name: 'signature-mismatch',
    standardStatus: 401,
    statusAlwaysSent: false,
    meaning: 'the signature does not match',
    cure: 'Read the likely cause at the end of the message, if there is one. Otherwise compare your string to sign, line by line, with the one in the message, or give both to `fieldroster explain`. If they are equal, the secret differs.',
  },
  1015: {
    name: 'already-processed',
    standardStatus: 409,
    statusAlwaysSent: false,
    meaning: 'this signed request was already processed',
    cure: 'Take it as proof that the first request took effect, unless the message says that the nonce was used before. In that case, you know only that this request did nothing now. To repeat the request on purpose, sign it with a new nonce.',
    fixedBeginnings: [
      {
        text: 'this signed request has already taken effect',
        tells: 'proves that the write took effect, once',
      },
      {
        text: 'this nonce was used before',
        tells: 'proves nothing about this request; answered only under `--replay nonce`',
      },
    ],
  },
  1016: {
    name: 'operation-not-permitted',
    standardStatus: 403,
    statusAlwaysSent: false,
    meaning: 'the application may not call this operation',
    cure: 'Ask the operator for the scope that the message names, or to let the application call from the address that it names.',
  },
  1017: {
    name: 'changed-meanwhile',
    standardStatus: 409,
    statusAlwaysSent: false,
    meaning: 'somebody else changed this in the meantime',
    cure: 'Read it again, decide again, and send the revision that you read. No part of the request was applied. If an earlier attempt got no answer, the change may be your own: compare what you read with what you sent.',
  },
  1101: {
    name: 'user-not-found',
    standardStatus: 404,
    statusAlwaysSent: false,
    meaning: 'the user does not exist',
    cure: 'Check the identifier in the message; ids and usernames belong to one tenant.',
  },
  1102: {
    name: 'username-taken',
    standardStatus: 409,
    statusAlwaysSent: false,
    meaning: 'the username is taken',
    cure: 'Choose another username, or update the user who has it.',
  },
  1103: {
    name: 'user-identifiers-disagree',
    standardStatus: 409,
    statusAlwaysSent: false,
    meaning: 'id and username identify different users',
    cure: 'Send only one of the two. A username identifies a user and never renames one.',
  },
  1104: {
    name: 'wrong-password',
    standardStatus: 401,
    statusAlwaysSent: false,
    meaning: 'the username or the password is wrong',
    cure: 'Let the person try again. The answer does not reveal which of the two was wrong.',
  },
  1105: {
    name: 'user-disabled',
    standardStatus: 403,
    statusAlwaysSent: false,
    meaning: 'the user is disabled',
    cure: 'The password was right; an operator or the owning system can make the user active again.',
  },
  1201: {
    name: 'role-not-found',
    standardStatus: 404,
    statusAlwaysSent: false,
    meaning: 'the role does not exist',
    cure: 'Check the role id; a role must exist before users are bound to it.',
  },
  1202: {
    name: 'role-not-bound',
    standardStatus: 409,
    statusAlwaysSent: false,
    meaning: 'the user is not bound to this role',
    cure: 'Nothing was removed. Query the user to see the role that is bound.',
  },
  1203: {
    name: 'role-in-use',
    standardStatus: 409,
    statusAlwaysSent: false,
    meaning: 'users are bound to this role',
    cure: 'Unbind them first, or send force=true to unbind up to 50,000 as part of the removal.',
  },
  1204: {
    name: 'role-id-taken',
    standardStatus: 409,
    statusAlwaysSent: false,
    meaning: 'the role id is taken',
    cure: 'Leave the id out to get a new one, or update the role that has it.',
  },
  1301: {
    name: 'organization-not-found',
    standardStatus: 404,
    statusAlwaysSent: false,
    meaning: 'the organization does not exist',
    cure: 'Check the organization id; an organization must exist before users are bound to it.',
  },
  1302: {
    name: 'organization-not-bound',
    standardStatus: 409,
    statusAlwaysSent: false,
    meaning: 'the user is not bound to this organization',
    cure: 'Nothing was removed. Query the user to see the organization that is bound.',
  },
  1303: {
    name: 'organization-in-use',
    standardStatus: 409,
    statusAlwaysSent: false,
    meaning: 'the organization still has users, or organizations below it',
    cure: 'Move them first, or send force=true to unbind up to 50,000 users; organizations below are never removed.',
  },
  1304: {
    name: 'organization-id-taken',
    standardStatus: 409,
    statusAlwaysSent: false,
    meaning: 'the organization id is taken',
    cure: 'Leave the id out to get a new one, or update the organization that has it.',
  },
  1305: {
    name: 'organization-cycle',
    standardStatus: 409,
    statusAlwaysSent: false,
    meaning: 'an organization cannot be its own ancestor',
    cure: 'Choose a parent that is not below this organization.',
  },
  1401: {
    name: 'store-not-found',
    standardStatus: 404,
    statusAlwaysSent: false,
    meaning: 'the store does not exist',
    cure: 'Create the stores that the message lists, or leave them out; no part of the request was applied.',
  },
  1402: {
    name: 'store-not-bound',
    standardStatus: 409,
    statusAlwaysSent: false,
    meaning: 'the user is not bound to this store',
    cure: 'Nothing was removed. Query the stores of the user to see those that are bound.',
  },
  1403: {
    name: 'store-in-use',
    standardStatus: 409,
    statusAlwaysSent: false,
    meaning: 'users are bound to this store',
    cure: 'Unbind them first, or send force=true to unbind up to 50,000 as part of the removal.',
  },
  1404: {
    name: 'store-code-taken',
    standardStatus: 409,
    statusAlwaysSent: false,
    meaning: 'the store code is taken',
    cure: 'Update the store that has it, or use POST /stores, which creates or updates.',
  },
  1429: {
    name: 'too-many-requests',
    standardStatus: 429,
    statusAlwaysSent: true,
    meaning: 'too many requests',
    cure: 'Wait as many seconds as Retry-After says, then send the request again.',
    fixedBeginnings: [
      {
        text: 'this username had',
        tells:
          'no password was looked at, because others were wrong; a check that is sent again is another guess',
      },
    ],
  },
  1500: {
    name: 'internal-error',
    standardStatus: 500,
    statusAlwaysSent: true,
    meaning: 'internal error',
    cure: 'For a write, do what the message says: usually, send the same signed request again, and take 1015 as proof that it took effect. Give the request id in the message to the operator, whose log has the cause.',
    fixedBeginnings: [
      {
        text: 'the outcome is unknown',
        tells: 'the server cannot find out whether the write took effect',
      },
    ],
  },
  1503: {
    name: 'overloaded',
    standardStatus: 503,
    statusAlwaysSent: true,
    meaning: 'overloaded or not ready; try again',
    cure: 'This attempt changed nothing. Send the same signed request again after the seconds in Retry-After; a write takes effect at most once.',
  },
} as const satisfies Record<number, ErrorCodeEntry>;

/** A failure code of the envelope. Success is 0 and is not in the catalogue. */
export type ErrorCode = keyof typeof errorCodes;
