import type { ErrorCode } from '@fieldroster/contract';
import type { ConsoleErrorCode } from '@fieldroster/contract/console';

/** The codes that only callers of the signed interface meet, and those that say nothing by themselves. */
type NotInPages =
  | 1001
  | 1002
  | 1003
  | 1005
  | 1006
  | 1011
  | 1012
  | 1013
  | 1014
  | 1016
  | 1103
  | 1104
  | 1105
  | 1503;

/**
 * The meaning of each refusal for somebody who uses the console, by code. The console adds the details: those that the
 * server sends as data, or its English sentence.
 */
export const refusals: Readonly<Record<ConsoleErrorCode | Exclude<ErrorCode, NotInPages>, string>> = {
  1004: 'This is more than the server accepts at once.',
  1015: 'This change was made already. Load the page again to see it.',
  1017: 'Somebody else has changed this in the meantime. Load the page again to see it as it is now.',
  1101: 'There is no such user. It may have been deleted.',
  1102: 'Another user has this username. Choose a different one.',
  1201: 'There is no such role. It may have been deleted.',
  1202: 'The user no longer has this role.',
  1203: 'Users are assigned to this role.',
  1204: 'Another role has this ID.',
  1301: 'There is no such organization. It may have been deleted.',
  1302: 'The user is no longer in this organization.',
  1303: 'This organization still has users, or organizations below it.',
  1304: 'Another organization has this ID.',
  1305: 'An organization cannot be below itself.',
  1401: 'There is no such store. Check the code.',
  1402: 'The user no longer has this store.',
  1403: 'Users are assigned to this store.',
  1404: 'Another store has this code. Choose a different one.',
  1429: 'There were too many calls, or too many wrong passwords or codes. Wait, then try again.',
  1500: 'The server failed. Its log has the cause, under the ID below.',
  1601: 'Your session had ended, so this was not done. Press the button again.',
  1602: 'The username, the password or the code is wrong.',
  1603: 'This account needs a code from its authenticator, or a recovery code.',
  1604: 'Your role does not allow this. Ask an owner.',
  1605: 'The server knows the console at another address. Open it there, or ask the operator of the server to set --public-url to the address in your browser.',
  1606: 'There is no such tenant, or you have no access to it.',
  1607: 'This link cannot be used.',
  1608: 'There is no such operator. Load the page again.',
  1609: 'Another operator has this username. Choose a different one.',
  1610: 'There is no such application. It may have been revoked.',
  1611: 'The APPID is taken. Press the button again to get another one.',
  1612: 'This would leave no owner of all tenants. Make somebody else one first.',
  1613: 'Another tenant has this name. Choose a different one.',
  1614: 'The stores changed after the preview, so nothing was moved. Look at the preview again.',
  1617: 'No backup can be verified now.',
  1618: 'This server runs inside another program. Use fieldroster doctor and fieldroster backup verify in a shell.',
  1619: 'This session has ended already.',
  // The sentence of the server says why, and what to choose.
  1620: 'This password is easy to guess.',
  1621: 'This server requires you to use a second factor. Set it up first; to use another device, replace it.',
  1622: 'This link is no longer open: it was used or withdrawn, or has expired.',
  1623: 'You have no second factor. Load the page again.',
  1624: 'You cannot make a reset link for yourself. Change your password or your second factor in the settings.',
  1625: 'Somebody else signed in here after you began, so nothing was changed.',
};
