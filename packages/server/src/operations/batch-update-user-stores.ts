import type { Operations } from '@fieldroster/contract';
import type { DirectoryWriter, UserChanges, UserRecord } from '../store/store.ts';
import { describeChanges, differingChanges, profileChangesOf } from '../users/profile-changes.ts';
import { requireRevision } from '../users/revision.ts';
import { storesNotFound } from '../users/store-codes.ts';
import type { Handler } from './handler.ts';

export const batchUpdateUserStores: Handler<Operations['batchUpdateUserStores']> = async (
  input,
  { refuse, write, hashPassword },
) => {
  const { username } = input;
  const sent = {
    ...profileChangesOf(input),
    ...(input.password && { passwordHash: await hashPassword(input.password) }),
  };
  const codes = input.store_codes && [...new Set(input.store_codes)];
  return write(async (directory) => {
    const existing = await directory.lockUser({ username });
    requireRevision(existing?.revision ?? 0n, input.if_revision, refuse);
    const { id, changes } = await createOrUpdate(directory, username, existing, sent);
    if (codes === undefined) return { result: { id, username }, userId: id, changes };
    const unknown = await directory.listUnknownStoreCodes(codes);
    if (unknown.length > 0) throw refuse(1401, storesNotFound(unknown));
    const stores = await directory.replaceUserStores(id, codes);
    return { result: { id, username }, userId: id, changes: { ...changes, stores } };
  });
};

/** The username decides: a user who has it is updated, else one is created. */
async function createOrUpdate(
  directory: DirectoryWriter,
  username: string,
  existing: UserRecord | undefined,
  sent: UserChanges,
) {
  if (existing !== undefined) return update(directory, existing, sent);
  const id = await directory.insertUser(username, sent);
  if (id !== undefined) {
    return { id, changes: { username: { to: username }, ...describeChanges(undefined, sent) } };
  }
  // Another process created the user between the two statements; its transaction has ended by now.
  const created = await directory.lockUser({ username });
  if (created === undefined) throw new TypeError('a username is taken and yet nobody has it');
  return update(directory, created, sent);
}

async function update(directory: DirectoryWriter, user: UserRecord, sent: UserChanges) {
  const changes = differingChanges(user, sent);
  if (Object.keys(changes).length > 0) await directory.updateUser(user.id, changes);
  return { id: user.id, changes: describeChanges(user, changes) };
}
