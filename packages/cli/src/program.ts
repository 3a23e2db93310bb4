import { Command, Help, type Option } from 'commander';
import { withNextStep } from './command-line/next-step.ts';
import { refuseEmptyArguments } from './command-line/refuse-empty-arguments.ts';
import { refuseRepeatedFlags } from './command-line/refuse-repeated-flags.ts';
import { documentsFolder } from './documents-folder.ts';
import { abridge, printable } from './output/print.ts';
import { packageVersion } from './package-version.ts';

interface TopLevelCommand {
  readonly name: string;
  readonly description: string;
  /** Completes the command. Only the called command is loaded, because most need the server's code. */
  readonly load: (commandLine: readonly string[]) => Promise<(command: Command) => void>;
}

const commands: readonly TopLevelCommand[] = [
  {
    name: 'serve',
    description: 'Serve the signed interface and the console',
    load: async () => (await import('./commands/serve.ts')).completeServe,
  },
  {
    name: 'config',
    description: 'Check the settings that serve would use',
    load: async () => (await import('./commands/config.ts')).completeConfig,
  },
  {
    name: 'app',
    description: 'Issue, list, change, rotate and revoke credentials of applications',
    load: async () => (await import('./commands/app.ts')).completeApp,
  },
  {
    name: 'tenant',
    description: "Create and list tenants, which cannot see each other's data",
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
    load: async (commandLine) => {
      const { completeUser } = await import('./commands/user.ts');
      if (!commandLine.includes('erase')) return completeUser;
      // The only one of the group that needs the server's code.
      const { completeUserErase } = await import('./user/erase-command.ts');
      return (user) => {
        completeUser(user);
        const erase = user.commands.find((command) => command.name() === 'erase');
        if (erase !== undefined) completeUserErase(erase);
      };
    },
  },
  {
    name: 'migrate',
    description: 'Bring the tables of a database up to this release',
    load: async () => (await import('./commands/migrate.ts')).completeMigrate,
  },
  {
    name: 'claims',
    description: 'Show the record of accepted writes, and reset it after a clock ran ahead',
    load: async () => (await import('./commands/claims.ts')).completeClaims,
  },
  {
    name: 'calls',
    description: 'Count calls by application, operation and code',
    load: async () => (await import('./commands/calls.ts')).completeCalls,
  },
  {
    name: 'why',
    description: 'Explain why a call failed, given its request id',
    load: async () => (await import('./commands/why.ts')).completeWhy,
  },
  {
    name: 'who',
    description: 'Show who changed a user, store, application or operator, with values before and after',
    load: async () => (await import('./commands/who.ts')).completeWho,
  },
  {
    name: 'doctor',
    description: 'Look for faults in the directory, its files and its settings, and say what to do',
    load: async () => (await import('./commands/doctor.ts')).completeDoctor,
  },
  {
    name: 'key',
    description: 'Replace the master key, and show which keys open what',
    load: async () => (await import('./commands/key.ts')).completeKey,
  },
  {
    name: 'copy',
    description: 'Copy a whole directory from one database to another',
    load: async () => (await import('./commands/copy.ts')).completeCopy,
  },
  {
    name: 'backup',
    description: 'Write the whole directory into one file, and check such files',
    load: async () => (await import('./commands/backup.ts')).completeBackup,
  },
  {
    name: 'restore',
    description: 'Restore a backup into an empty folder or database',
    load: async () => (await import('./commands/restore.ts')).completeRestore,
  },
  {
    name: 'call',
    description: 'Send one signed request and print the answer',
    load: async () => (await import('./commands/call.ts')).completeCall,
  },
  {
    name: 'explain',
    description: 'Explain why a signature does not match',
    load: async () => (await import('./commands/explain.ts')).completeExplain,
  },
];

/** Builds as much of the command line's grammar as the given words need. */
export async function buildProgram(commandLine: readonly string[]): Promise<Command> {
  const program = new Command('fieldroster');
  program
    .description('A user directory for retail and field operations, behind a signed HTTP interface')
    .version(packageVersion())
    .exitOverride()
    .showSuggestionAfterError()
    // In 80 columns, the server's longest flag leaves 33 for its description.
    .configureHelp({ minWidthToWrap: 30, optionDescription: describeOption })
    .configureOutput({
      outputError: (text, write) => write(`fieldroster: ${sayError(program, commandLine, text)}\n`),
    })
    .addHelpText(
      'after',
      () => `
Example:
  $ fieldroster serve --data ./data --port 8080

Documents: ${documentsFolder()}`,
    );
  for (const { name, description, load } of commands) {
    const command = program.command(name).description(description);
    if (commandLine.includes(name)) (await load(commandLine))(command);
  }
  refuseUnknownTopic(program, commandLine);
  refuseRepeatedFlags(program);
  refuseEmptyArguments(program);
  return program;
}

function describeOption(option: Option): string {
  const description = Help.prototype.optionDescription(option);
  return option.mandatory ? `${description} (required)` : description;
}

/** For a command that does not exist, Commander would print the whole help, which does not say so. */
function refuseUnknownTopic(program: Command, [first, topic = '']: readonly string[]): void {
  if (first !== 'help' || topic === '' || topic === 'help' || topic.startsWith('-')) return;
  if (!commands.some(({ name }) => name === topic)) program.error(`error: unknown command '${topic}'`);
}

function sayError(program: Command, commandLine: readonly string[], text: string): string {
  return withNextStep(abridge(printable(toOneLine(text))), program, commandLine);
}

function toOneLine(text: string): string {
  return text
    .replace(/^error: /, '')
    .replace(/^command-argument value /, '')
    .trim()
    .replaceAll('\n', ' ');
}
