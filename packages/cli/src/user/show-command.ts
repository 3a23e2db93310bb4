import {
  type FieldrosterClient,
  type QueryUserData,
  stringifyExactJson,
  type UserEntry,
} from '@fieldroster/client';
import { limits } from '@fieldroster/contract/limits';
import type { Command } from 'commander';
import { isoTime } from '../output/iso-time.ts';
import { print, printable, warn } from '../output/print.ts';
import { addUserOptions, findUser, type UserFlags } from './which-user.ts';

export function addUserShow(user: Command): void {
  const show = user.command('show').description('Show a user with role, organization and stores');
  addUserOptions(show)
    .addHelpText('after', '\nExample:\n  $ fieldroster user show mara.okafor')
    .action(runShow);
}

async function runShow(username: string | undefined, flags: UserFlags): Promise<void> {
  const { withClient } = await import('../call/open-client.ts');
  await withClient(flags, async (client) => {
    const user = await findUser(client, username, flags);
    const { stores } = await client.queryUserStores({ user_id: user.id });
    const shown = { ...user, ...(await findListed(client, user)), stores };
    await print(flags.json ? `${stringifyExactJson(shown)}\n` : toText(shown));
  });
}

const pagesMax = 4;

/** Finds the user in the list, which has the status that the query lacks. Reads only a few pages. */
async function findListed(client: FieldrosterClient, user: QueryUserData) {
  const filters = { ...narrowest(user), limit: limits.pageEntriesMax };
  let cursor: string | undefined;
  for (let page = 0; page < pagesMax && cursor !== ''; page++) {
    const answer = await client.listUsers({ ...filters, ...(cursor !== undefined && { cursor }) });
    const listed = answer.users.find(({ id }) => id === user.id);
    if (listed !== undefined) {
      const { status, revision, created_at, updated_at } = listed;
      return { status, revision, created_at, updated_at };
    }
    cursor = answer.next_cursor;
  }
  if (cursor !== '') {
    warn(`the status of ${printable(user.username)} is not shown: too many users have that text in a field`);
  }
  return {};
}

/** Returns the filters that probably match the fewest other users. */
function narrowest({ username, unique_code, email, phone, department, roles, orgs }: QueryUserData) {
  const texts = [username, unique_code, email, phone].filter(
    (text) => [...text].length <= limits.searchCharactersMax,
  );
  const search = texts.toSorted((a, b) => b.length - a.length)[0] ?? username;
  return {
    search,
    ...(department !== '' && { department }),
    ...(roles[0] && { role_id: roles[0].id }),
    ...(orgs[0] && { org_id: orgs[0].id }),
  };
}

type Shown = QueryUserData &
  Partial<Pick<UserEntry, 'status' | 'revision' | 'created_at' | 'updated_at'>> & {
    readonly stores: readonly { readonly code: string; readonly name: string }[];
  };

const genders = ['', 'male', 'female'];

function toText(user: Shown): string {
  const { roles, orgs, stores, gender, created_at, updated_at, ...fields } = user;
  const rows: [string, string][] = [
    ...Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
    ['gender', genders[gender] ?? ''],
    ['role', roles.map(({ id, name }) => `${name} (${id})`).join()],
    ['org', orgs.map(({ id, name }) => `${name} (${id})`).join()],
    ['created_at', created_at === undefined ? '' : isoTime(created_at)],
    ['updated_at', updated_at === undefined ? '' : isoTime(updated_at)],
    ['stores', stores.length === 0 ? '' : String(stores.length)],
    ...stores.map(({ code, name }): [string, string] => ['', `${code}  ${name}`]),
  ];
  const filled = rows.filter(([, value]) => value !== '');
  return filled.map(([name, value]) => `${name.padEnd(12)} ${printable(value)}\n`).join('');
}
