import type { FieldrosterClient } from '@fieldroster/client';
import type { Command } from 'commander';
import { addCallOptions, type CallFlags } from '../call/credentials.ts';
import { parseId } from '../command-line/flag-values.ts';
import { UsageError } from '../run-program.ts';

/** The flags shared by the commands on one user. */
export interface UserFlags extends CallFlags {
  readonly id?: bigint;
  readonly json?: true;
}

/** Adds the ways to name a user, and the options of every call, to a command. */
export function addUserOptions(command: Command): Command {
  command
    .argument('[username]', 'Login name of the user')
    .option('--id <id>', 'Id of the user, instead of the username', parseId);
  return addCallOptions(command).option('--json', 'Print JSON for scripts');
}

/** Queries the user that the command line names. */
export function findUser(client: FieldrosterClient, username: string | undefined, { id }: UserFlags) {
  if (username === undefined && id === undefined) {
    throw new UsageError('no user given: give a username or --id');
  }
  return client.queryUser({ username, user_id: id });
}
