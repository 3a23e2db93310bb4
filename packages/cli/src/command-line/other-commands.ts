import type { Command } from 'commander';

/** What other programs call a command, with its group, and what to run here instead. */
const otherCommands: Readonly<Record<string, string>> = {
  add: 'user import',
  application: 'app',
  audit: 'who',
  check: 'doctor',
  client: 'app',
  curl: 'call',
  dump: 'backup',
  export: 'user export',
  health: 'doctor',
  history: 'who',
  import: 'user import',
  init: 'serve',
  invite: 'operator invite',
  log: 'calls',
  logs: 'calls',
  request: 'call',
  rotate: 'app rotate',
  run: 'serve',
  sign: 'call',
  server: 'serve',
  start: 'serve',
  status: 'doctor',
  test: 'config check',
  validate: 'config check',
  verify: 'backup verify',
  version: '--version',
  'app add': 'app create',
  'app delete': 'app revoke',
  'app get': 'app show',
  'app issue': 'app create',
  'app new': 'app create',
  'app remove': 'app revoke',
  'operator add': 'operator invite',
  'operator create': 'operator invite',
  'operator delete': 'operator disable',
  'operator new': 'operator invite',
  'operator remove': 'operator disable',
  'user find': 'user list',
  'user get': 'user show',
  'user remove': 'user delete',
  'user search': 'user list',
};

/** Groups whose entries come from a file, or one by one through the signed interface. */
const importedGroups: Readonly<Record<string, string>> = {
  org: 'organizations',
  role: 'roles',
  store: 'stores',
  user: 'users',
};

const creations = ['add', 'create', 'new'];

/** Returns the end of a sentence about a command that does not exist: what to run instead; `undefined` if that is not known. */
export function otherCommand(group: Command, command: string): string | undefined {
  const name = group.parent === null ? '' : group.name();
  const entries = importedGroups[name];
  if (entries !== undefined && creations.includes(command))
    return `; create ${entries} from a file with: fieldroster ${name} import, or one with: fieldroster call POST /${name}`;
  const other = otherCommands[name === '' ? command : `${name} ${command}`];
  return other === undefined ? undefined : `; use: fieldroster ${other}`;
}
