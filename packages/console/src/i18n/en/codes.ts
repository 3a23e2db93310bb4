import type { ErrorCode } from '@fieldroster/contract';

/** The meaning of a code, and the operator's next step. */
export interface CodeText {
  readonly meaning: string;
  readonly step: string;
}

export const codes: Readonly<Record<ErrorCode, CodeText>> = {
  1001: {
    meaning: 'invalid parameter',
    step: 'The answer names the parameter. Send it to the developers of the application.',
  },
  1002: {
    meaning: 'body is not a JSON object',
    step: 'The application must send one JSON object in UTF-8. Tell its developers.',
  },
  1003: {
    meaning: 'content type not supported',
    step: 'The application must send Content-Type: application/json and no Content-Encoding.',
  },
  1004: {
    meaning: 'body too large',
    step: 'The application must send less at once. Otherwise, raise the limit that the answer names.',
  },
  1005: {
    meaning: 'no such operation',
    step: 'Compare the path in the request with the reference at /docs, the base path included.',
  },
  1006: {
    meaning: 'method not supported',
    step: 'Compare the method in the request with the reference at /docs.',
  },
  1011: {
    meaning: 'signing headers missing or malformed',
    step: 'The application must send Authorization, Timestamp and Nonce. The answer says which one is wrong.',
  },
  1012: {
    meaning: 'clock is off',
    step: 'Set the clock of the machine that runs the application. The answer states the difference.',
  },
  1013: {
    meaning: 'unknown or inactive application',
    step: 'Compare the APPID with the list of applications. Resume or renew the application, or issue another one.',
  },
  1014: {
    meaning: 'wrong signature',
    step: 'Compare the string to sign of a request with the one that the application made. If they are equal, its secret is wrong: rotate it.',
  },
  1015: {
    meaning: 'sent twice',
    step: 'Nothing to do: the first request took effect. If there are many, answers get lost on the way.',
  },
  1016: {
    meaning: 'not permitted',
    step: 'The scope of the application or its allowed addresses forbid this. Change them if the call is legitimate.',
  },
  1017: {
    meaning: 'changed meanwhile',
    step: 'Nothing to do: the application should read the entry again, and then decide again.',
  },
  1101: {
    meaning: 'no such user',
    step: 'The other system knows users that this directory does not. Import them, or correct their IDs there.',
  },
  1102: {
    meaning: 'username taken',
    step: 'The application must choose another username, or update the user who has it.',
  },
  1103: {
    meaning: 'ID and username disagree',
    step: 'The application must send only one of the two.',
  },
  1104: {
    meaning: 'wrong password',
    step: 'A few are normal. Many for one user may be somebody guessing.',
  },
  1105: {
    meaning: 'user is disabled',
    step: 'Make the user active again if the person should be able to sign in.',
  },
  1201: { meaning: 'no such role', step: 'Add the role here, or correct its ID in the other system.' },
  1202: {
    meaning: 'role not assigned',
    step: 'Nothing was removed. The data of the other system is out of date.',
  },
  1203: {
    meaning: 'role in use',
    step: 'The application must unassign the users first, or send force=true.',
  },
  1204: { meaning: 'role ID taken', step: 'The application must update the role that has the ID.' },
  1301: {
    meaning: 'no such organization',
    step: 'Add the organization here, or correct its ID in the other system.',
  },
  1302: {
    meaning: 'organization not assigned',
    step: 'Nothing was removed. The data of the other system is out of date.',
  },
  1303: {
    meaning: 'organization in use',
    step: 'The application must move its users and the organizations below it first.',
  },
  1304: {
    meaning: 'organization ID taken',
    step: 'The application must update the organization that has the ID.',
  },
  1305: {
    meaning: 'organization below itself',
    step: 'The application must choose a parent that is not below the organization.',
  },
  1401: { meaning: 'no such store', step: 'Add the stores that the answer lists, or import them.' },
  1402: {
    meaning: 'store not assigned',
    step: 'Nothing was removed. The data of the other system is out of date.',
  },
  1403: {
    meaning: 'store in use',
    step: 'The application must unassign the users first, or send force=true.',
  },
  1404: { meaning: 'store code taken', step: 'The application must update the store that has the code.' },
  1429: {
    meaning: 'too many requests or wrong passwords',
    step: 'If the operation is check-password, there were ten wrong passwords for a user: wait a minute at most, or set a new password and wait. Otherwise, raise the rate limit of the application, or ask its developers to send batches.',
  },
  1500: {
    meaning: 'internal error',
    step: 'Look for the request ID in the server’s log, at level error: it has the full cause.',
  },
  1503: {
    meaning: 'server overloaded or not ready',
    step: 'Look at /readyz and at the log of the server, at level warn.',
  },
};

/** For a code that a newer server may answer. */
export const otherCode = (code: number): CodeText => ({
  meaning: `code ${code}`,
  step: 'The reference at /docs explains the code.',
});
