import type { Operations } from '@fieldroster/contract';
import type { DirectoryReader, DirectoryWriter, UserToChange } from '../database/database.ts';
import { requireNewUsername } from '../directory/new-username.ts';
import { describeStores, profileChangesOf } from '../directory/profile-changes.ts';
import { requireRevision } from '../directory/revision.ts';
import { storesNotFound } from '../directory/store-codes.ts';
import { planFields, type UserEntry } from '../directory/user-entry.ts';
import { countStoresOf } from '../directory/user-identity.ts';
import type { Handler } from './handler.ts';

export const batchUpdateUserStores: Handler<Operations['batchUpdateUserStores']> = async (
  input,
  { directory, refuse, writeMany, passwords },
) => {
  const { username } = input;
  const sent = {
    ...profileChangesOf(input),
    ...(input.password && { passwordHash: await passwords.hash(input.password) }),
  };
  const codes = input.store_codes && [...new Set(input.store_codes)];
  return writeMany(await countChanged(directory, username, codes), async (writer, requireTimeFor) => {
    const lock = async () => {
      const existing = await writer.lockUser({ username });
      requireRevision(existing?.revision ?? 0n, input.if_revision, refuse);
      requireTimeFor(await countChanged(writer, username, codes));
      return existing;
    };
    const { id, changes } = await createOrUpdate(writer, { username, sent }, lock);
    if (codes === undefined) return { result: { id, username }, userId: id, changes };
    const unknown = await writer.users.listUnknownStores(codes);
    if (unknown.length > 0) throw refuse(1401, storesNotFound(unknown));
    const stores = await writer.replaceUserStores(id, codes);
    return { result: { id, username }, userId: id, changes: { ...changes, ...describeStores(stores) } };
  });
};

/** Returns how many stores the user gains or loses, at the least; the size of the body bounds the rest. */
async function countChanged(
  directory: DirectoryReader,
  username: string,
  codes: readonly string[] | undefined,
): Promise<number> {
  return codes === undefined ? 0 : Math.abs((await countStoresOf(directory, { username })) - codes.length);
}

/** @param lock locks the user and checks its revision (0 when there is no user) before anything is changed */
async function createOrUpdate(
  directory: DirectoryWriter,
  entry: UserEntry,
  lock: () => Promise<UserToChange | undefined>,
): Promise<{ id: bigint; changes: Readonly<Record<string, unknown>> }> {
  const existing = await lock();
  const { fields, changes } = planFields(entry, existing);
  if (existing !== undefined) {
    if (Object.keys(fields).length > 0) await directory.updateUser(existing.id, fields);
    return { id: existing.id, changes };
  }
  requireNewUsername(entry.username);
  const id = await directory.insertUser(entry.username, fields);
  if (id !== undefined) return { id, changes };
  // Another process created the user between the two statements; its transaction has ended by now.
  return createOrUpdate(directory, entry, lock);
}
