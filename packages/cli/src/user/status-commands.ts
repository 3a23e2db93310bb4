import { type FieldrosterClient, type QueryUserData, stringifyExactJson } from '@fieldroster/client';
import type { Command } from 'commander';
import { print, printable } from '../output/print.ts';
import { addUserOptions, findUser, type UserFlags } from './which-user.ts';

/** A command that performs one action on one user. */
interface StatusCommand {
  readonly name: string;
  readonly description: string;
  /** The user's status afterwards. */
  readonly status: string;
  readonly run: (client: FieldrosterClient, user: QueryUserData) => Promise<void>;
}

const statusCommands: readonly StatusCommand[] = [
  {
    name: 'disable',
    description: 'Disable a user: refuse its password, but keep every binding',
    status: 'disabled',
    run: (client, { id }) => client.setUserStatus({ id, status: 'disabled' }),
  },
  {
    name: 'enable',
    description: 'Make a disabled user active again',
    status: 'active',
    run: (client, { id }) => client.setUserStatus({ id, status: 'active' }),
  },
  {
    name: 'delete',
    description: 'Delete a user and every binding permanently',
    status: 'deleted',
    run: (client, { id }) => client.deleteUser({ user_id: id }),
  },
];

export function addUserStatus(user: Command): void {
  for (const command of statusCommands) {
    addUserOptions(user.command(command.name).description(command.description))
      .addHelpText('after', `\nExample:\n  $ fieldroster user ${command.name} mara.okafor`)
      .action((username: string | undefined, flags: UserFlags) => runStatusCommand(username, flags, command));
  }
}

async function runStatusCommand(
  username: string | undefined,
  flags: UserFlags,
  command: StatusCommand,
): Promise<void> {
  const { withClient } = await import('../call/open-client.ts');
  await withClient(flags, async (client) => {
    const user = await findUser(client, username, flags);
    await command.run(client, user);
    const { status } = command;
    const json = stringifyExactJson({ user_id: user.id, username: user.username, status });
    await print(`${flags.json ? json : printable(`${user.username} (id ${user.id}) is ${status}`)}\n`);
  });
}
