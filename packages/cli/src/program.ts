import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { packageFile } from './package-file.ts';

interface Group {
  readonly name: string;
  readonly description: string;
  /** Completes the command. Only the called command is loaded, because most need the server's code. */
  readonly load: () => Promise<(command: Command) => void>;
}

const groups: readonly Group[] = [
  {
    name: 'serve',
    description: 'Serve the signed interface',
    load: async () => (await import('./commands/serve.ts')).completeServe,
  },
  {
    name: 'app',
    description: 'Issue, list, rotate and revoke credentials of applications',
    load: async () => (await import('./commands/app.ts')).completeApp,
  },
  {
    name: 'tenant',
    description: 'Make and list tenants, whose data is invisible to each other',
    load: async () => (await import('./commands/tenant.ts')).completeTenant,
  },
  {
    name: 'operator',
    description: "Invite, list, reset and disable the console's operators",
    load: async () => (await import('./commands/operator.ts')).completeOperator,
  },
  {
    name: 'role',
    description: 'Import and list roles',
    load: async () => (await import('./commands/role.ts')).completeRole,
  },
  {
    name: 'org',
    description: 'Import and list organizations',
    load: async () => (await import('./commands/org.ts')).completeOrg,
  },
  {
    name: 'store',
    description: 'Import and list stores',
    load: async () => (await import('./commands/store.ts')).completeStore,
  },
  {
    name: 'user',
    description: 'Import, export, list and change users through the signed interface',
    load: async () => (await import('./commands/user.ts')).completeUser,
  },
  {
    name: 'migrate',
    description: 'Bring the tables of a database to this release',
    load: async () => (await import('./commands/migrate.ts')).completeMigrate,
  },
  {
    name: 'claims',
    description: 'Show the record of accepted writes, and reset it after a clock ran ahead',
    load: async () => (await import('./commands/claims.ts')).completeClaims,
  },
  {
    name: 'copy',
    description: 'Move a whole directory between databases',
    load: async () => (await import('./commands/copy.ts')).completeCopy,
  },
  {
    name: 'call',
    description: 'Send one signed request and print the answer',
    load: async () => (await import('./commands/call.ts')).completeCall,
  },
  {
    name: 'explain',
    description: 'Tell why a signature does not match',
    load: async () => (await import('./commands/explain.ts')).completeExplain,
  },
];

/** Builds as much of the command line's grammar as the given words need. */
export async function buildProgram(commandLine: readonly string[]): Promise<Command> {
  const program = new Command('fieldroster')
    .description('A user directory for retail field operations, behind a signed HTTP interface')
    .version(readVersion())
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(`fieldroster: ${toOneLine(text)}\n`) })
    .addHelpText('after', '\nExample:\n  $ fieldroster serve --data ./data --port 8080');
  for (const { name, description, load } of groups) {
    const command = program.command(name).description(description);
    if (commandLine.includes(name)) (await load())(command);
  }
  return program;
}

function readVersion(): string {
  const text = readFileSync(packageFile('package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

function toOneLine(text: string): string {
  return text
    .replace(/^error: /, '')
    .trim()
    .replaceAll('\n', ' ');
}
