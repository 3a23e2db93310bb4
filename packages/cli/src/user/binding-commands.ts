import { type FieldrosterClient, stringifyExactJson } from '@fieldroster/client';
import type { Command } from 'commander';
import { parseId, repeatable } from '../command-line/flag-values.ts';
import { print, printable } from '../output/print.ts';
import { UsageError } from '../run-program.ts';
import { addUserOptions, findUser, type UserFlags } from './which-user.ts';

interface BindingFlags extends UserFlags {
  readonly role?: bigint;
  readonly org?: bigint;
  readonly store?: readonly string[];
}

/** The differences between binding and unbinding. */
interface Direction {
  readonly role: (client: FieldrosterClient, user_id: bigint, role_id: bigint) => Promise<void>;
  readonly org: (client: FieldrosterClient, user_id: bigint, org_id: bigint) => Promise<void>;
  readonly store: (client: FieldrosterClient, user_id: bigint, store_code: string) => Promise<void>;
  /** As in `bound to role 7`. */
  readonly done: string;
}

const bind: Direction = {
  role: (client, user_id, role_id) => client.bindUserRole({ user_id, role_id }),
  org: (client, user_id, org_id) => client.bindUserOrg({ user_id, org_id }),
  store: (client, user_id, store_code) => client.bindUserStore({ user_id, store_code }),
  done: 'bound to',
};

const unbind: Direction = {
  role: (client, user_id, role_id) => client.unbindUserRole({ user_id, role_id }),
  org: (client, user_id, org_id) => client.unbindUserOrg({ user_id, org_id }),
  store: (client, user_id, store_code) => client.unbindUserStore({ user_id, store_code }),
  done: 'unbound from',
};

export function addUserBindings(user: Command): void {
  addBinding(user.command('bind'), bind)
    .description('Bind a user to a role and an organization, replacing the previous ones, and to more stores')
    .addHelpText(
      'after',
      '\nExample:\n  $ fieldroster user bind mara.okafor --role 1 --org 12 --store N-001 --store N-002',
    );
  addBinding(user.command('unbind'), unbind)
    .description(
      'Unbind a user from a role, an organization or stores; a binding that does not exist is an error',
    )
    .addHelpText('after', '\nExample:\n  $ fieldroster user unbind mara.okafor --store N-001');
}

function addBinding(command: Command, direction: Direction): Command {
  return addUserOptions(command)
    .option('--role <id>', 'Id of the role', parseId)
    .option('--org <id>', 'Id of the organization', parseId)
    .option('--store <code>', 'Code of a store (repeatable)', repeatable(collectCodes))
    .action((username: string | undefined, flags: BindingFlags) => runBinding(username, flags, direction));
}

function collectCodes(code: string, before: readonly string[] = []): readonly string[] {
  return [...before, code];
}

async function runBinding(
  username: string | undefined,
  flags: BindingFlags,
  direction: Direction,
): Promise<void> {
  const { role, org, store = [] } = flags;
  if (role === undefined && org === undefined && store.length === 0) {
    throw new UsageError('nothing to do: give --role, --org or --store');
  }
  const { withClient } = await import('../call/open-client.ts');
  await withClient(flags, async (client) => {
    const user = await findUser(client, username, flags);
    const tell = async (name: string, value: unknown) => {
      const { id: user_id, username } = user;
      const text = printable(`${username} is ${direction.done} ${name.replace(/_.*/, '')} ${value}`);
      await print(`${flags.json ? stringifyExactJson({ user_id, username, [name]: value }) : text}\n`);
    };
    if (role !== undefined) await direction.role(client, user.id, role).then(() => tell('role_id', role));
    if (org !== undefined) await direction.org(client, user.id, org).then(() => tell('org_id', org));
    for (const code of store) {
      await direction.store(client, user.id, code);
      await tell('store_code', code);
    }
  });
}
