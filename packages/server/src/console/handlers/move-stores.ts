import { type AuditedOperation, limits } from '@fieldroster/contract';
import type { ConsoleInput, ConsoleOperations } from '@fieldroster/contract/console';
import type {
  AuditEvent,
  DirectoryWriter,
  StoreBindingDifference,
  UserRecord,
} from '../../database/database.ts';
import { describeStores } from '../../directory/profile-changes.ts';
import { tooManyStores } from '../../directory/store-codes.ts';
import { lockUser } from '../../directory/user-identity.ts';
import { ApiError } from '../../errors/api-error.ts';
import { runWithTimeFor } from '../../pipeline/call-deadline.ts';
import type { ConsoleHandler, TenantContext } from '../console-context.ts';

type MoveStores = ConsoleOperations['moveStores'];
type Move = ConsoleInput<MoveStores>;
type MoveContext = TenantContext<MoveStores>;

/** Moves stores between two users in one transaction, with an audit row for each of them. */
export const moveStores: ConsoleHandler<MoveStores> = async (move, context) => {
  const { parts, tenantId, claim, refuse } = context;
  const { from_user_id, to_user_id } = move;
  if (from_user_id === to_user_id) {
    throw new ApiError(1001, `to_user_id must differ from from_user_id; both are ${from_user_id}`);
  }
  const gained = new Set([...move.store_codes, ...move.kept_store_codes]);
  const work = async (directory: DirectoryWriter) => {
    // Every move locks in the same order, so that two opposite moves cannot wait for each other.
    const users: UserRecord[] = [];
    for (const id of inOrder(from_user_id, to_user_id)) users.push(await lockUser(directory, { id }, refuse));
    const codesOfUser = await readCodes(users, directory);
    const [from, to] = [codesOfUser(from_user_id), codesOfUser(to_user_id)];
    requirePreview(move, from, to, refuse);
    const after = to.union(gained);
    if (after.size > Math.max(to.size, limits.storeCodesMax))
      throw tooManyStores(`user ${to_user_id}`, after.size);
    const left = await directory.replaceUserStores(from_user_id, [
      ...from.difference(new Set(move.store_codes)),
    ]);
    const got = await directory.replaceUserStores(to_user_id, [...after]);
    return {
      result: undefined,
      audit: auditEvent(from_user_id, left, { to_user_id }, context),
      more: [auditEvent(to_user_id, got, { from_user_id }, context)],
    };
  };
  await runWithTimeFor(gained.size, () => parts.database.write(tenantId, claim, work));
  return undefined;
};

function inOrder(a: bigint, b: bigint): readonly [bigint, bigint] {
  return a < b ? [a, b] : [b, a];
}

/** Returns a function that gives the codes of a user's stores. */
async function readCodes(
  users: readonly UserRecord[],
  directory: DirectoryWriter,
): Promise<(id: bigint) => ReadonlySet<string>> {
  const states = await directory.users.readStates(users.map(({ username }) => username));
  const codes = new Map([...states.values()].map(({ user, storeCodes }) => [user.id, new Set(storeCodes)]));
  return (id) => codes.get(id) ?? new Set();
}

/** Throws 1614 unless the first user has the stores, and the second exactly those that the preview said. */
function requirePreview(
  { from_user_id, to_user_id, store_codes, kept_store_codes, expected_store_codes }: Move,
  from: ReadonlySet<string>,
  to: ReadonlySet<string>,
  refuse: MoveContext['refuse'],
): void {
  const codes = new Set([...store_codes, ...kept_store_codes]);
  const [gone] = codes.difference(from);
  if (gone !== undefined) {
    throw refuse(
      1614,
      `nothing was moved: user ${from_user_id} no longer has the store ${JSON.stringify(gone)}`,
    );
  }
  const [changed] = codes.intersection(to).symmetricDifference(new Set(expected_store_codes));
  if (changed !== undefined) {
    const now = to.has(changed) ? 'has the store by now' : 'no longer has the store';
    throw refuse(1614, `nothing was moved: user ${to_user_id} ${now}: ${JSON.stringify(changed)}`);
  }
}

function auditEvent(
  userId: bigint,
  difference: StoreBindingDifference,
  colleague: { readonly from_user_id: bigint } | { readonly to_user_id: bigint },
  { actor, requestId }: MoveContext,
): AuditEvent {
  const stores = describeStores(difference);
  // Somebody who had all the stores already got none.
  const changes = stores.stores === undefined ? {} : { ...stores, ...colleague };
  return { actor, requestId, operation: 'move-stores' satisfies AuditedOperation, userId, changes };
}
