export const applications = {
  title: 'Applications',
  issue: 'Issue application',
  name: 'Name',
  nameHelp: 'Which system signs with it, such as "HR sync"',
  scope: 'Scope',
  scopes: { read: 'Read', write: 'Write', manage: 'Manage' },
  scopeHelp: {
    read: 'looks users and their assignments up',
    write: 'also creates and changes users and assignments',
    manage: 'also changes roles, organizations, stores and the status of users',
  },
  liveSecrets: 'Secrets',
  secrets: 'Secrets',
  lastUsed: 'Last used',
  never: 'Never',
  ends: 'Ends',
  noEnd: 'No end',
  empty: 'No applications yet',
  emptyHelp:
    'An application is another system that may call this directory. Issue one to get its APPID and secret.',
  once: 'This is the only time that you see the secret',
  onceHelp: 'Store it where the other system reads it, before you close this.',
  stored: 'I have stored it',
  rotate: 'Rotate secret',
  rotateHelp:
    'The application gets a new secret. The one before keeps working until its end, so that no call fails.',
  oldSecret: 'The secret before ends',
  endsIn: (hours: number) => {
    if (hours === 0) return 'at once';
    if (hours < 24) return hours === 1 ? 'in an hour' : `in ${hours} hours`;
    return hours === 24 ? 'in a day' : `in ${hours / 24} days`;
  },
  revoke: 'Revoke application',
  revokeHelp: (name: string) => `Every call of ${name} fails from now on. This cannot be undone.`,
  nowRevoked: (name: string) => `${name} is revoked`,
};
