import {
  type FieldrosterClient,
  isFieldrosterError,
  type ListUsersInput,
  type UserEntry,
} from '@fieldroster/client';
import { inOrder } from '../import/in-order.ts';
import type { ExportColumn } from './export-columns.ts';

/** A user's values by column. */
export type ExportedUser = Readonly<Partial<Record<ExportColumn, unknown>>>;

/** How many users' stores are queried concurrently. */
const requestsAtOnce = 8;

/** Yields the users that match the filters, one by one, with the requested columns. */
export async function* exportedUsers(
  client: FieldrosterClient,
  filters: Omit<ListUsersInput, 'cursor'>,
  columns: readonly ExportColumn[],
): AsyncIterable<ExportedUser> {
  const users = inOrder(client.users(filters), requestsAtOnce, async (user) => {
    const codes = columns.includes('store_codes') ? await storeCodesOf(client, user) : [];
    return codes && toColumns(user, codes, columns);
  });
  for await (const user of users) if (user !== undefined) yield user;
}

/** Returns `undefined` for a user deleted since the page was read, who is not exported. */
async function storeCodesOf(client: FieldrosterClient, { id }: UserEntry): Promise<string[] | undefined> {
  try {
    const { stores } = await client.queryUserStores({ user_id: id });
    return stores.map(({ code }) => code);
  } catch (error) {
    if (isFieldrosterError(error, 1101)) return undefined;
    throw error;
  }
}

function toColumns(user: UserEntry, store_codes: readonly string[], columns: readonly ExportColumn[]) {
  const { roles, orgs, ...fields } = user;
  const values = { ...fields, role_id: roles[0]?.id, org_id: orgs[0]?.id, store_codes };
  return Object.fromEntries(columns.map((column) => [column, values[column]]));
}
