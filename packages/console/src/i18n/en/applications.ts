import { written } from '../written.ts';

export const applications = {
  title: 'Applications',
  issue: 'Issue application',
  name: 'Name',
  nameHelp: 'Which system signs with it, such as “HR sync”',
  scope: 'Scope',
  scopes: { read: 'Read', write: 'Write', manage: 'Manage' },
  scopeHelp: {
    read: 'Can look up users and their assignments',
    write: 'Can look up, add and change users and their assignments',
    manage: 'Can look up and change the whole directory, including roles, organizations and stores',
  },
  liveSecrets: 'Secrets',
  secrets: 'Secrets',
  lastUsed: 'Last used',
  never: 'Never',
  ends: 'Expires',
  noEnd: 'Never',
  empty: 'No applications yet',
  emptyHelp:
    'An application is another system that may call this directory. Issue one to get its APPID and secret.',
  unknown: 'There is no such application',
  unknownHelp: 'The address may be wrong, or it belongs to another tenant.',
  credentials: (name: string) => `Credentials of ${name}`,
  once: 'The secret is shown only once',
  onceHelp: 'Store it where the other system reads it before you close this.',
  stored: 'I have stored it',
  rotate: 'Rotate secret',
  rotateHelp:
    'The application gets a new secret. The previous one keeps working until it expires. After that, calls that still use it fail.',
  rotateNowHelp:
    'The application gets a new secret. The previous one ends at once, and calls that still use it fail.',
  endsOldest:
    'This application has two secrets already. The older one ends at once, and calls that still use it fail.',
  oldSecret: 'The previous secret expires',
  endsIn: (hours: number) => {
    if (hours === 0) return 'at once';
    if (hours < 24) return hours === 1 ? 'in an hour' : `in ${hours} hours`;
    return hours === 24 ? 'in a day' : `in ${hours / 24} days`;
  },
  edit: 'Edit access',
  saved: (name: string) => `${name} saved`,
  rateLimit: 'Rate limit',
  rateLimitHelp: 'Requests per second. 0 sets no limit; empty uses the server’s limit.',
  ownLimit: 'The server’s limit',
  perSecond: (count: number) => {
    if (count === 0) return 'No limit';
    return count === 1 ? '1 request per second' : `${written(count)} requests per second`;
  },
  addresses: 'Allowed addresses',
  addressesHelp: 'Addresses and networks, one per line. Empty allows calls from anywhere.',
  anyAddress: 'Any address',
  expires: 'Expires',
  expiresHelp: (zone: string) =>
    `In your time zone (${zone}). Calls fail from then on. Leave empty for no expiry.`,
  calls: 'Calls',
  callsToCome: 'Calls appear here within a minute.',
  suspend: 'Suspend application',
  resume: 'Resume application',
  nowSuspended: (name: string) => `${name} is suspended; its calls fail`,
  nowActive: (name: string) => `${name} may call again`,
  snippet: 'First call',
  copySnippet: 'Copy the script',
  snippetHelp: (file: string, command: string) =>
    `Save it as ${file}, set FIELDROSTER_APP_ID and FIELDROSTER_APP_SECRET, and run: ${command}`,
  revoke: 'Revoke application',
  revokeHelp: (name: string) =>
    `Revoking ${name} makes all of its calls fail at once. This cannot be undone.`,
  nowRevoked: (name: string) => `${name} is revoked`,
};
