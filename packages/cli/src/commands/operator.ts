import { operatorRoles } from '@fieldroster/contract/console';
import {
  type IssuedLink,
  inviteOperator,
  type OperatorRecord,
  type OperatorRole,
  resetOperator,
  setOperatorStatus,
  stringifyExactJson,
} from '@fieldroster/server/admin';
import { type Command, Option } from 'commander';
import { consoleAddress } from '../config/console-address.ts';
import { consoleLink } from '../config/console-link.ts';
import {
  addDirectoryOptions,
  type DirectoryFlags,
  withDirectory,
  withDirectoryToFill,
  withDirectoryToRead,
} from '../directory/with-directory.ts';
import { addLinkCommands, shortId } from '../operator/link-commands.ts';
import { isoTime } from '../output/iso-time.ts';
import { type Listing, print, printList, warn } from '../output/print.ts';
import { requireReadableOutput } from '../output/require-readable-output.ts';

export function completeOperator(operator: Command): void {
  operator.addHelpText('after', '\nExample:\n  $ fieldroster operator invite --role owner');
  addInvite(operator);
  addList(operator);
  addReset(operator);
  addLinkCommands(operator);
  addStatus(operator, {
    name: 'disable',
    description: 'Keep an operator from signing in, and end their sessions',
    status: 'disabled',
  });
  addStatus(operator, {
    name: 'enable',
    description: 'Let a disabled operator sign in again',
    status: 'active',
  });
}

function consoleOption(): Option {
  return new Option(
    '--console-url <url>',
    "Address of the console, or the server's origin, for the link; if left out, the command derives it from the server's settings public-url, console-listen, host and port in the environment and the configuration file",
  ).env('FIELDROSTER_CONSOLE_URL');
}

interface LinkFlags extends DirectoryFlags {
  readonly consoleUrl?: string;
}

interface InviteFlags extends LinkFlags {
  readonly role: OperatorRole;
  readonly tenant?: readonly string[];
}

function addInvite(operator: Command): void {
  const invite = operator
    .command('invite')
    .description('Print a link that creates an operator; it works once, for an hour')
    .addOption(
      new Option('--role <role>', 'What the operator may do').choices(operatorRoles).default('viewer'),
    )
    .option('--tenant <tenant...>', 'Only these tenants; if left out, every tenant')
    .addOption(consoleOption())
    .addHelpText('after', '\nExample:\n  $ fieldroster operator invite --role manager --tenant acme')
    .action(async (flags: InviteFlags) => {
      const { role, tenant } = flags;
      const address = consoleAddress(flags);
      requireReadableOutput('link');
      const issued = await withDirectoryToFill(flags, (directory) =>
        inviteOperator(directory, { role, ...(tenant !== undefined && { tenants: tenant }) }),
      );
      await printLink(address, issued, flags.json);
    });
  addDirectoryOptions(invite);
}

function addReset(operator: Command): void {
  const reset = operator
    .command('reset')
    .description('Print a link that sets a new password and turns the second factor off')
    .argument('<username>', 'Operator who lost the password or the device')
    .option(
      '--now',
      'End the old password and all sessions at once, for an account that somebody else may be using',
    )
    .addOption(consoleOption())
    .addHelpText('after', '\nExample:\n  $ fieldroster operator reset mara --now')
    .action(async (username: string, flags: ResetFlags) => {
      const address = consoleAddress(flags);
      requireReadableOutput('link');
      const { now: atOnce = false } = flags;
      const issued = await withDirectory(flags, (directory) =>
        resetOperator(directory, username, { atOnce }),
      );
      await printLink(address, issued, flags.json);
      if (!atOnce && flags.json !== true)
        await print(
          'Until it is used, the old password and open sessions still work; --now ends them at once.\n',
        );
    });
  addDirectoryOptions(reset);
}

interface ResetFlags extends LinkFlags {
  readonly now?: boolean;
}

/** @throws {Error} when the link could not be printed, because nothing can show it again */
async function printLink(address: string, issued: IssuedLink, json = false): Promise<void> {
  const link = consoleLink(address, issued.token);
  const expires_at = isoTime(issued.expiresAtMs);
  const isPrinted = await print(
    json
      ? `${JSON.stringify({ link, expires_at })}\n`
      : `${link}\nThe link works once, until ${expires_at}. Anyone who has it can use it: send it to one person only.\n`,
  );
  if (isPrinted) return;
  throw new Error(
    `the link could not be printed; run the command again for another one, and withdraw this one with: fieldroster operator withdraw ${shortId(issued.id)}`,
  );
}

interface StatusCommand {
  readonly name: 'disable' | 'enable';
  readonly description: string;
  /** The status that the command sets. */
  readonly status: OperatorRecord['status'];
}

function addStatus(operator: Command, { name, description, status }: StatusCommand): void {
  const command = operator
    .command(name)
    .description(description)
    .argument('<username>', 'Username of the operator')
    .addHelpText('after', `\nExample:\n  $ fieldroster operator ${name} mara`)
    .action(async (username: string, flags: DirectoryFlags) => {
      const { endedLinks, ownerLeft } = await withDirectory(flags, (directory) =>
        setOperatorStatus(directory, username, status),
      );
      const links = endedLinks === 0 ? '' : `; open links that ended: ${endedLinks}`;
      await print(
        flags.json ? `${JSON.stringify({ username, status })}\n` : `${name}d ${username}${links}\n`,
      );
      if (!ownerLeft)
        warn(
          'no active owner of all tenants is left; invite one with: fieldroster operator invite --role owner',
        );
    });
  addDirectoryOptions(command);
}

function addList(operator: Command): void {
  const list = operator
    .command('list')
    .description('List operators')
    .addHelpText('after', '\nExample:\n  $ fieldroster operator list --json')
    .action((flags: DirectoryFlags) =>
      withDirectoryToRead(flags, async ({ database }) =>
        printList(await database.operators.list(), listing, flags.json === true),
      ),
    );
  addDirectoryOptions(list);
}

const listing: Listing<OperatorRecord> = {
  headings: ['ID', 'USERNAME', 'ROLE', 'TENANTS', 'STATUS', 'SECOND FACTOR', 'CREATED'],
  cells: ({ id, username, role, allTenants, tenantIds, status, totpSealed, createdAtMs }) => [
    String(id),
    username,
    role,
    allTenants ? 'all' : tenantIds.join(' '),
    status,
    totpSealed === undefined ? 'off' : 'on',
    isoTime(createdAtMs),
  ],
  json: ({ id, username, role, allTenants, tenantIds, status, totpSealed, createdAtMs }) =>
    stringifyExactJson({
      id,
      username,
      role,
      all_tenants: allTenants,
      tenant_ids: tenantIds,
      status,
      second_factor: totpSealed !== undefined,
      created_at: isoTime(createdAtMs),
    }),
};
