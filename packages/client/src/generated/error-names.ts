// Generated from the contract by scripts/generate.ts; edit the contract instead.

/** The stable name of every published code. */
export const errorNames = {
  1001: 'invalid-parameter',
  1002: 'invalid-body',
  1003: 'unsupported-content',
  1004: 'body-too-large',
  1005: 'no-such-operation',
  1006: 'method-not-supported',
  1011: 'malformed-signing-headers',
  1012: 'timestamp-expired',
  1013: 'unknown-application',
  1014: 'signature-mismatch',
  1015: 'already-processed',
  1016: 'operation-not-permitted',
  1017: 'changed-meanwhile',
  1101: 'user-not-found',
  1102: 'username-taken',
  1103: 'user-identifiers-disagree',
  1104: 'wrong-password',
  1105: 'user-disabled',
  1201: 'role-not-found',
  1202: 'role-not-bound',
  1203: 'role-in-use',
  1204: 'role-id-taken',
  1301: 'organization-not-found',
  1302: 'organization-not-bound',
  1303: 'organization-in-use',
  1304: 'organization-id-taken',
  1305: 'organization-cycle',
  1401: 'store-not-found',
  1402: 'store-not-bound',
  1403: 'store-in-use',
  1404: 'store-code-taken',
  1429: 'too-many-requests',
  1500: 'internal-error',
  1503: 'overloaded',
} as const;

/** A published code of the envelope. A newer server may answer others. */
export type ErrorCode = keyof typeof errorNames;

export type ErrorName = (typeof errorNames)[ErrorCode];
