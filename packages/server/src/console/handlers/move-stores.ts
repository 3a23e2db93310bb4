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
import { setInSlices } from '../../slices/set-in-slices.ts';
import { nextSlice, TimeSlice } from '../../slices/time-slice.ts';
import { without } from '../../slices/without.ts';
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
  const gained = await setInSlices([move.store_codes, move.kept_store_codes], new TimeSlice(nextSlice));
  const work = async (directory: DirectoryWriter) => {
    // Every move locks in the same order, so that two opposite moves cannot wait for each other.
    const users: UserRecord[] = [];
    for (const id of inOrder(from_user_id, to_user_id)) users.push(await lockUser(directory, { id }, refuse));
    const codesOfUser = await readCodes(users, directory);
    const [from, to] = [codesOfUser(from_user_id), codesOfUser(to_user_id)];
    const timeSlice = new TimeSlice();
    const lacking = await without(gained, to, timeSlice);
    await requirePreview(move, { gained, from, to, lacking }, refuse, timeSlice);
    const after = [...to, ...lacking];
    if (after.length > Math.max(to.length, limits.storeCodesMax))
      throw tooManyStores(`user ${to_user_id}`, after.length);
    const kept = await without(from, move.store_codes, timeSlice);
    const left = await directory.replaceUserStores(from_user_id, kept);
    const got = await directory.replaceUserStores(to_user_id, after);
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
): Promise<(id: bigint) => readonly string[]> {
  const states = await directory.users.readStates(users.map(({ username }) => username));
  const codes = new Map([...states.values()].map(({ user, storeCodes }) => [user.id, storeCodes]));
  return (id) => codes.get(id) ?? [];
}

interface MovedCodes {
  /** What the second user is to have, at the least. */
  readonly gained: ReadonlySet<string>;
  /** What the two users have. */
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** What the second user is to have and has not. */
  readonly lacking: readonly string[];
}

/** Throws 1614 unless the first user has the stores, and the second exactly those that the preview said. */
async function requirePreview(
  { from_user_id, to_user_id, expected_store_codes }: Move,
  { gained, from, to, lacking }: MovedCodes,
  refuse: MoveContext['refuse'],
  timeSlice: TimeSlice,
): Promise<void> {
  const [gone] = await without(gained, from, timeSlice);
  if (gone !== undefined) {
    throw refuse(
      1614,
      `nothing was moved: user ${from_user_id} no longer has the store ${JSON.stringify(gone)}`,
    );
  }
  const present = await without(gained, lacking, timeSlice);
  const [unexpected] = await without(present, expected_store_codes, timeSlice);
  const [missing] = await without(expected_store_codes, present, timeSlice);
  const changed = unexpected ?? missing;
  if (changed !== undefined) {
    const now = to.includes(changed) ? 'has the store by now' : 'no longer has the store';
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
