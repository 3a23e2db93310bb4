import type { OperatorRole } from './console/console-operation.ts';

type None = Readonly<Record<string, never>>;

/** The English sentence of each problem that only operations of the console report. */
export const consoleProblemTexts = {
  /** Texts that somebody typed are in quotes. */
  notAddress: ({ entry }: { readonly entry: string }) =>
    `${entry} is not an address or a network, such as 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32`,
  badNetwork: ({ entry, max }: { readonly entry: string; readonly max: number }) =>
    `the network ${entry} must end in a number of bits from 1 to ${max}`,
  tooShort: ({
    field,
    min,
    count,
  }: {
    readonly field: string;
    readonly min: number;
    readonly count: number;
  }) => `${field} must be at least ${min} characters; it has ${count}`,
  tooMany: ({
    field,
    max,
    count,
  }: {
    readonly field: string;
    readonly max: number;
    readonly count: number;
  }) => `${field} must be an array of at most ${max} entries; it has ${count}`,
  changedMeanwhile: ({ username }: { readonly username: string }) =>
    `nothing was changed: somebody changed ${username} after the preview; look at it again`,
  noUser: ({ username }: { readonly username: string }) =>
    `nothing was changed: no user has username ${username}`,
  manyGuesses: ({ max, seconds }: { readonly max: number; readonly seconds: number }) =>
    `this username had ${max} wrong passwords within a minute; try again in ${seconds} s`,
  manyCodes: ({ count, minutes }: { readonly count: number; readonly minutes: number }) =>
    `${count} wrong codes in a row followed the right password; try again in ${minutes} min, or use a recovery code. If you did not enter them, somebody knows your password: change it`,
  manyNewCodes: ({ count, minutes }: { readonly count: number; readonly minutes: number }) =>
    `${count} codes in a row were wrong; try again in ${minutes} min, or begin to set up the second factor again`,
  manyCalls: ({ perSecond }: { readonly perSecond: number }) =>
    `you may make ${perSecond} calls a second; wait a second and try again`,
  needsRole: ({
    operation,
    role,
    own,
  }: {
    readonly operation: string;
    readonly role: OperatorRole;
    readonly own: OperatorRole;
  }) => `${operation} needs the role ${role}; you are ${own}`,
  needsAllTenants: ({ operation }: { readonly operation: string }) =>
    `${operation} needs access to all tenants; you have access to some`,
  /** `sent` is the origin that the browser sent; empty if it sent none. */
  otherOrigin: ({ sent, own }: { readonly sent: string; readonly own: string }) =>
    `the change came with ${sent === '' ? 'no Origin' : `the Origin ${JSON.stringify(sent)}`}, but this console is at ${own}; open it there, or name its address with --public-url`,
  linkEnded: (_: None) => 'this link was used or withdrawn, has expired or never existed; ask for a new one',
  linkOfDisabled: (_: None) =>
    'this account is disabled; ask an owner to enable it, then open the link again',
  noBackup: (_: None) => 'no backup is known; make one with fieldroster backup --verify',
  backupElsewhere: ({ folder, file }: { readonly folder: string; readonly file: string }) =>
    `this server cannot reach the folder ${folder} of the backups; run fieldroster backup verify ${file} where it is`,
  verifying: ({ file }: { readonly file: string }) => `${file} is being verified already`,
  invisibleInApplication: ({ character }: { readonly character: string }) =>
    `the name of an application must be free of invisible characters and line separators; it has ${character}: delete it`,
  invisibleInTenant: ({ character }: { readonly character: string }) =>
    `the name of a tenant must be free of invisible characters and line separators; it has ${character}: delete it`,
  /** Names are in quotes. */
  tenantTaken: ({ name }: { readonly name: string }) => `the tenant ${name} exists; choose another name`,
  tenantLooksTaken: ({ name }: { readonly name: string }) =>
    `the tenant ${name} exists and its name looks the same (it differs only in code points); choose another name`,
  invisibleInOperator: ({ character }: { readonly character: string }) =>
    `the username of an operator must be free of invisible characters and line separators; it has ${character}: delete it`,
  /** The name is in quotes. */
  operatorLooksTaken: ({ name }: { readonly name: string }) =>
    `there is an operator ${name}, whose username differs only in case or in forms of the same characters; choose another username`,
  commonPassword: (_: None) =>
    'this password is one of the most common ones, which attackers try first; choose another one, such as several unrelated words',
  wordsOfContext: ({ min }: { readonly min: number }) =>
    `apart from the username, names of tenants and words such as fieldroster, this password has fewer than ${min} letters; choose another one, such as several unrelated words`,
};

export type ConsoleProblemTexts = typeof consoleProblemTexts;
