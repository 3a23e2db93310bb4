import { randomBytes, randomUUID } from 'node:crypto';
import { operations } from '@fieldroster/contract';
import fc from 'fast-check';
import { changeUsers } from '../../console/handlers/change-users.ts';
import { moveStores } from '../../console/handlers/move-stores.ts';
import { ApiError } from '../../errors/api-error.ts';
import { BusyError } from '../../errors/busy-error.ts';
import { handlers } from '../../operations/handlers.ts';
import type { Call } from '../../pipeline/call.ts';
import { handlerContext } from '../../pipeline/steps/handler-context.ts';
import { type AcceptanceClaim, AlreadyAcceptedError, type Database } from '../database.ts';
import { listStoresOfUser } from './subject.ts';

/** Few of each, so that calls meet. */
const usernames = ['ann', 'bob', 'cho', 'dee'] as const;
const ids = [1n, 2n, 3n] as const;
const codes = ['A', 'B', 'C', 'D'] as const;

const anyId = fc.constantFrom(...ids);
const anyCode = fc.constantFrom(...codes);
const anyStatus = fc.constantFrom('active', 'disabled');
const anyPhone = fc.constantFrom('', '1', '2', '3');
const someCodes = fc.uniqueArray(anyCode);
const anyForce = fc.boolean();

/** A signed operation, or one of the console; `user` is sent as its id or its name. */
export interface RandomCall {
  readonly operation: keyof typeof inputs;
  readonly user: string;
  readonly other: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** How often the same signed request is sent at once. */
  readonly copies: number;
}

const userIdAnd = { sends: 'user_id' } as const;
const nameAnd = { sends: 'username' } as const;

const inputs = {
  bindUserRole: { ...userIdAnd, weight: 6, values: { role_id: anyId } },
  unbindUserRole: { ...userIdAnd, weight: 4, values: { role_id: anyId } },
  bindUserOrg: { ...userIdAnd, weight: 6, values: { org_id: anyId } },
  unbindUserOrg: { ...userIdAnd, weight: 4, values: { org_id: anyId } },
  bindUserStore: { ...userIdAnd, weight: 12, values: { store_code: anyCode } },
  unbindUserStore: { ...userIdAnd, weight: 10, values: { store_code: anyCode } },
  updateUser: { ...nameAnd, weight: 4, values: { phone: anyPhone } },
  setUserStatus: { ...nameAnd, weight: 3, values: { status: anyStatus } },
  deleteUser: { ...nameAnd, weight: 2, values: {} },
  batchUpdateUserStores: { ...nameAnd, weight: 5, values: { phone: anyPhone, store_codes: someCodes } },
  batchUsers: {
    sends: 'users',
    weight: 5,
    values: { phone: anyPhone, role_id: anyId, org_id: anyId, store_codes: someCodes },
  },
  deleteRole: { sends: '', weight: 2, values: { id: anyId, force: anyForce } },
  createRole: { sends: '', weight: 3, values: { id: anyId } },
  deleteOrg: { sends: '', weight: 2, values: { id: anyId, force: anyForce } },
  createOrg: { sends: '', weight: 3, values: { id: anyId } },
  deleteStore: { sends: '', weight: 2, values: { code: anyCode, force: anyForce } },
  createStore: { sends: '', weight: 3, values: { code: anyCode } },
  changeUsers: {
    sends: 'users',
    weight: 5,
    values: {
      role_id: fc.constantFrom(0n, ...ids),
      org_id: fc.constantFrom(0n, ...ids),
      status: anyStatus,
      add_store_codes: someCodes,
      remove_store_codes: someCodes,
    },
  },
  moveStores: { sends: '', weight: 4, values: {} },
  erase: { sends: '', weight: 1, values: {} },
} as const;

/** Any call, the frequent ones more often. */
export const anyCall: fc.Arbitrary<RandomCall> = fc.oneof(
  ...Object.entries(inputs).map(([operation, { weight, values }]) => ({
    weight,
    arbitrary: fc.record({
      operation: fc.constant(operation as keyof typeof inputs),
      user: fc.constantFrom(...usernames),
      other: fc.constantFrom(...usernames),
      values: fc.record(values as Record<string, fc.Arbitrary<unknown>>),
      copies: fc.constantFrom(1, 1, 1, 2, 3),
    }),
  })),
);

/** The answer to a caller: 0, the code of a refusal, or that a copy was accepted before. */
export interface Answered {
  readonly requestId: string;
  readonly code: number | 'accepted before';
}

/**
 * Sends every copy at once, to one of the processes each; a busy database is asked again, as callers do. An erasure is
 * no signed request, and has no answer.
 */
export async function sendCopies(
  call: RandomCall,
  tenantId: bigint,
  processes: readonly Database[],
): Promise<Answered[]> {
  const signature = randomBytes(32);
  const sent = Array.from({ length: call.copies }, async (_, index): Promise<Answered> => {
    const database = processes[index % processes.length] as Database;
    const requestId = randomUUID();
    const claim = { signature, requestId, expiresAtSeconds: 4_000_000_000 };
    for (;;) {
      try {
        await send(call, database, tenantId, claim);
        return { requestId, code: 0 };
      } catch (error) {
        if (error instanceof ApiError) return { requestId, code: error.code };
        if (error instanceof AlreadyAcceptedError) return { requestId, code: 'accepted before' };
        if (!(error instanceof BusyError)) throw error;
      }
    }
  });
  const answers = await Promise.all(sent);
  return call.operation === 'erase' ? [] : answers;
}

async function send(call: RandomCall, database: Database, tenantId: bigint, claim: AcceptanceClaim) {
  const { operation, user, other, values } = call;
  if (operation === 'erase') return erase(database, tenantId, user);
  if (operation === 'moveStores') return move(call, database, tenantId, claim);
  const input = { ...values, ...(await whoOf(call, database, tenantId)) };
  if (operation === 'changeUsers') {
    const users = [...new Set([user, other])].map((username) => ({ username }));
    return changeUsers({ ...values, users }, consoleContext(database, tenantId, claim));
  }
  const sent = { operation: operations[operation], requestId: claim.requestId } as unknown as Call;
  const caller = { tenantId, scope: 'manage', appId: 'app' } as const;
  const parts = { database, passwords: undefined, guesses: undefined } as never;
  const context = handlerContext({ call: sent, caller, claim }, parts);
  return (handlers[operation] as (input: unknown, context: unknown) => Promise<unknown>)(input, context);
}

/** Returns the input that names the users. */
async function whoOf({ operation, user, other, values }: RandomCall, database: Database, tenantId: bigint) {
  const { sends } = inputs[operation];
  if (sends === 'user_id') return { user_id: await idOf(user, database, tenantId) };
  if (sends === 'users') {
    const entries = [...new Set([user, other])].map((username) => ({ value: { ...values, username } }));
    return { users: entries };
  }
  return sends === 'username' ? { username: user } : {};
}

async function idOf(username: string, database: Database, tenantId: bigint): Promise<bigint> {
  return (await database.directory(tenantId).findUser({ username }))?.id ?? 0n;
}

async function erase(database: Database, tenantId: bigint, username: string): Promise<void> {
  const userId = await idOf(username, database, tenantId);
  if (userId !== 0n)
    await database.erasures.erase([{ tenantId, userId, usernameHash: 'hash', atMs: 0 }], {
      tenantId,
      username,
    });
}

async function move(
  { user, other }: RandomCall,
  database: Database,
  tenantId: bigint,
  claim: AcceptanceClaim,
) {
  const [from, to] = [await idOf(user, database, tenantId), await idOf(other, database, tenantId)];
  const directory = database.directory(tenantId);
  const moved = (await listStoresOfUser(directory, from)).map(({ code }) => code).slice(0, 2);
  const had = new Set((await listStoresOfUser(directory, to)).map(({ code }) => code));
  const input = {
    from_user_id: from,
    to_user_id: to,
    store_codes: moved,
    kept_store_codes: [],
    expected_store_codes: moved.filter((code) => had.has(code)),
  };
  return moveStores(input, consoleContext(database, tenantId, claim));
}

function consoleContext(database: Database, tenantId: bigint, claim: AcceptanceClaim) {
  const refuse = (code: never, message: string) => new ApiError(code, message);
  const { requestId } = claim;
  return { parts: { database }, tenantId, claim, requestId, refuse, actor: { kind: 'test' } } as never;
}
