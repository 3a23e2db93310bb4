/**
 * What the server’s frequent refusals mean to somebody who uses the console, by code. The server’s own sentence, which
 * is in English and has the details, follows them.
 */
export const refusals: Readonly<Record<number, string>> = {
  1017: 'Somebody else has changed this in the meantime. Load the page again to see it as it is now.',
  1101: 'There is no such user. It may have been deleted.',
  1102: 'Another user has this username. Choose a different one.',
  1201: 'There is no such role. It may have been deleted.',
  1202: 'The user no longer has this role.',
  1203: 'Users are assigned to this role.',
  1204: 'Another role has this id.',
  1301: 'There is no such organization. It may have been deleted.',
  1302: 'The user is no longer in this organization.',
  1303: 'Users or other organizations are below this organization.',
  1305: 'An organization cannot be below itself.',
  1401: 'There is no such store. Check the code.',
  1402: 'The user no longer has this store.',
  1403: 'Users are assigned to this store.',
  1404: 'Another store has this code. Choose a different one.',
  1429: 'The server is getting too many calls. Wait a moment and try again.',
  1500: 'The server failed. Its log has the cause, under the id below.',
  1602: 'The username, the password or the code is wrong.',
  1604: 'Your role does not allow this. Ask an owner.',
  1605: 'The server knows the console at another address. Open it there, or ask the operator of the server to set --public-url to the address in your browser.',
  1606: 'There is no such tenant, or you have no access to it.',
  1607: 'This link cannot be used.',
  1609: 'Another operator has this username. Choose a different one.',
  1612: 'This would leave no owner of all tenants. Make somebody else one first.',
  1613: 'Another tenant has this name. Choose a different one.',
  1614: 'The stores changed after the preview, so nothing was moved. Look at the preview again.',
  1619: 'This session has ended already.',
  1620: 'This password is easy to guess. Choose another one, such as several unrelated words.',
};
