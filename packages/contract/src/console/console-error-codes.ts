import type { ErrorCodeEntry } from '../error-codes.ts';

/** The codes that only the console's operations answer, in addition to those of the signed interface. */
export const consoleErrorCodes = {
  1601: {
    name: 'not-signed-in',
    standardStatus: 401,
    statusAlwaysSent: true,
    meaning: 'there is no session, or it has ended',
    cure: 'Sign in again.',
  },
  1602: {
    name: 'wrong-credentials',
    standardStatus: 401,
    statusAlwaysSent: true,
    meaning: 'the username, the password or the code is wrong',
    cure: 'Check all three; an owner can send a new link with `fieldroster operator reset`.',
  },
  1603: {
    name: 'second-factor-needed',
    standardStatus: 401,
    statusAlwaysSent: true,
    meaning: 'the account requires a code in addition to the password',
    cure: 'Send the six digits that the authenticator shows, or a recovery code.',
  },
  1604: {
    name: 'role-too-small',
    standardStatus: 403,
    statusAlwaysSent: true,
    meaning: "the operator's role does not include this",
    cure: 'Ask an owner for a role that does.',
  },
  1605: {
    name: 'foreign-page',
    standardStatus: 403,
    statusAlwaysSent: true,
    meaning: "a change did not come from the console's own page",
    cure: 'Open the console at its own address; behind a proxy, name that address with --public-url.',
  },
  1606: {
    name: 'no-such-tenant',
    standardStatus: 404,
    statusAlwaysSent: true,
    meaning: 'there is no such tenant, or the operator has no access to it',
    cure: 'Choose one of the tenants that the session lists.',
  },
  1607: {
    name: 'link-not-valid',
    standardStatus: 404,
    statusAlwaysSent: true,
    meaning: 'the link was used, has expired or never existed',
    cure: 'Get a new one with `fieldroster operator invite` or `fieldroster operator reset`.',
  },
  1608: {
    name: 'no-such-operator',
    standardStatus: 404,
    statusAlwaysSent: true,
    meaning: 'there is no such operator',
    cure: 'Load the list of operators again.',
  },
  1609: {
    name: 'operator-exists',
    standardStatus: 409,
    statusAlwaysSent: true,
    meaning: 'another operator has this username',
    cure: 'Choose another username.',
  },
  1610: {
    name: 'no-such-application',
    standardStatus: 404,
    statusAlwaysSent: true,
    meaning: 'the tenant has no such application',
    cure: 'Load the list of applications again.',
  },
  1611: {
    name: 'application-exists',
    standardStatus: 409,
    statusAlwaysSent: true,
    meaning: 'the APPID is taken',
    cure: 'Choose another one, or leave it out to get a new one.',
  },
  1612: {
    name: 'last-owner',
    standardStatus: 409,
    statusAlwaysSent: true,
    meaning: 'the deployment would be left without an owner',
    cure: 'Make another operator an owner of all tenants first.',
  },
  1613: {
    name: 'tenant-exists',
    standardStatus: 409,
    statusAlwaysSent: true,
    meaning: 'another tenant has this name',
    cure: 'Choose another name.',
  },
  1614: {
    name: 'stores-changed-meanwhile',
    standardStatus: 409,
    statusAlwaysSent: true,
    meaning: 'the stores of one of the two users changed after the preview; nothing was moved',
    cure: 'Load the stores of both users again and look at the new preview.',
  },
  1617: {
    name: 'no-backup-to-verify',
    standardStatus: 409,
    statusAlwaysSent: true,
    meaning: 'no backup is known, or one is being verified already',
    cure: 'Make one with `fieldroster backup --verify`, or set --backup-every and --backup-to.',
  },
  1618: {
    name: 'no-commands-here',
    standardStatus: 409,
    statusAlwaysSent: true,
    meaning: 'the server runs inside another program, which gave it no commands',
    cure: 'Use `fieldroster doctor` and `fieldroster backup verify` in a shell.',
  },
} as const satisfies Record<number, ErrorCodeEntry>;

export type ConsoleErrorCode = keyof typeof consoleErrorCodes;
