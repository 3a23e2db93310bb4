import type { AuditEntry, DirectoryLists } from '../database/database.ts';

/** The users that audit rows are about, by id, as the console names them. */
export type AuditedUsers = ReadonlyMap<bigint, AuditedUser>;

interface AuditedUser {
  readonly username: string;
  readonly real_name: string;
  readonly deleted: boolean;
}

/** Returns the user with whom the user of an audit row exchanged stores, if it says so. */
export function colleagueOf({ operation, changes }: AuditEntry): bigint | undefined {
  if (operation !== 'move-stores') return undefined;
  const id = changes.from_user_id ?? changes.to_user_id;
  return typeof id === 'number' || typeof id === 'bigint' ? BigInt(id) : undefined;
}

/**
 * Names the users of a page of audit rows, and their colleagues, in two look-ups. A deleted user gets the names that the
 * audit kept: those of the deletion, or else of the page itself. A user of whom it kept none, such as an erased one, is
 * left out.
 */
export async function nameAuditedUsers(
  entries: readonly AuditEntry[],
  lists: Pick<DirectoryLists, 'nameUsers' | 'listDeletions'>,
): Promise<AuditedUsers> {
  const ids = new Set(entries.flatMap((entry) => [entry.userId ?? [], colleagueOf(entry) ?? []].flat()));
  const found = await lists.nameUsers([...ids]);
  const deletions = await lists.listDeletions([...ids].filter((id) => !found.has(id)));
  const known = [...deletions, ...entries];
  const named = new Map<bigint, AuditedUser>();
  for (const id of ids) {
    const name = found.get(id);
    const user = name
      ? { username: name.username, real_name: name.realName, deleted: false }
      : recordedUser(known.filter(({ userId }) => userId === id));
    if (user !== undefined) named.set(id, user);
  }
  return named;
}

function recordedUser(entries: readonly AuditEntry[]): AuditedUser | undefined {
  const username = firstText(entries, 'username');
  if (username === undefined) return undefined;
  return { username, real_name: firstText(entries, 'real_name') ?? '', deleted: true };
}

/** Returns a field's latest value: entries come latest first, and the value after a change is later than before it. */
function firstText(entries: readonly AuditEntry[], field: string): string | undefined {
  return entries
    .flatMap(({ changes }) => valuesOf(changes[field]))
    .find((value): value is string => typeof value === 'string' && value !== '');
}

function valuesOf(change: unknown): readonly unknown[] {
  if (typeof change !== 'object' || change === null) return [change];
  const { from, to } = change as { readonly from?: unknown; readonly to?: unknown };
  return [to, from];
}
