import assert from 'node:assert/strict';
import {
  type EntityKey,
  type EntityState,
  isUser,
  type TargetState,
  type UserState,
} from './entity-states.ts';

export interface AuditRow {
  readonly operation: string;
  readonly userId: number;
  readonly requestId: string;
  readonly changes: Changes;
}

interface FromTo {
  readonly from?: unknown;
  readonly to?: unknown;
}

interface Changes {
  readonly username?: FromTo;
  readonly real_name?: FromTo;
  readonly phone?: FromTo;
  readonly status?: FromTo;
  readonly role_id?: FromTo;
  readonly org_id?: FromTo;
  readonly password?: string;
  readonly stores?: { readonly added?: readonly string[]; readonly removed?: readonly string[] };
  readonly name?: FromTo;
  readonly code?: string | FromTo;
  readonly id?: number;
}

/** An entity's states in the order of its audit rows: `writers[i]` led from `states[i]` to `states[i + 1]`. */
export interface Timeline {
  readonly states: EntityState[];
  readonly writers: string[];
}

/**
 * Applies the audit rows in their order, and asserts that each says what was true before it.
 *
 * @param initial the states before the first row
 * @param passwordOf returns the password that a request gave to a user
 */
export function replayRows(
  rows: readonly AuditRow[],
  initial: ReadonlyMap<EntityKey, EntityState>,
  passwordOf: (requestId: string, username: string) => string | undefined,
): Map<EntityKey, Timeline> {
  const timelines = new Map<EntityKey, Timeline>();
  for (const [entity, state] of initial) timelines.set(entity, { states: [state], writers: [] });
  const names = new Map<number, string>();
  for (const row of rows) {
    const entity = entityOf(row, names);
    if (entity === undefined) continue;
    const timeline = timelines.get(entity) ?? { states: [undefined], writers: [] };
    timelines.set(entity, timeline);
    const before = timeline.states.at(-1);
    const what = `${entity} before row ${JSON.stringify(row)}: ${JSON.stringify(before)}`;
    const isOfUser = entity.startsWith('user:');
    const after = isOfUser ? userAfter(row, before, what) : targetAfter(row, before, what);
    timeline.states.push(
      isUser(after) && row.changes.password !== undefined && row.changes.password !== 'rehashed'
        ? { ...after, password: passwordOf(row.requestId, entity.slice('user:'.length)) }
        : after,
    );
    timeline.writers.push(row.requestId);
  }
  return timelines;
}

function entityOf(
  { operation, userId, changes }: AuditRow,
  names: Map<number, string>,
): EntityKey | undefined {
  if (userId !== 0) {
    if (changes.username?.to !== undefined) names.set(userId, String(changes.username.to));
    const name = names.get(userId);
    assert(name !== undefined, `user ${userId} is created before ${operation}`);
    return `user:${name}`;
  }
  if (/role$/.test(operation)) return `role:${changes.id}`;
  if (/org$/.test(operation)) return `org:${changes.id}`;
  return /store/.test(operation) && typeof changes.code === 'string' ? `store:${changes.code}` : undefined;
}

function targetAfter({ changes: { name } }: AuditRow, before: EntityState, what: string): EntityState {
  const known = before as TargetState | undefined;
  // An update of no field leaves the target as it was.
  if (name === undefined) return known;
  assert.equal(name.from ?? undefined, known?.name, what);
  if (name.to === undefined) return undefined;
  return { name: String(name.to), revision: (known?.revision ?? 0) + 1 };
}

function userAfter(row: AuditRow, before: EntityState, what: string): EntityState {
  const { changes, operation, userId } = row;
  if (changes.username?.to !== undefined) {
    assert.equal(before, undefined, what);
    const nobody = { id: userId, realName: '', phone: '', status: 'active', role: null, org: null, rows: 0 };
    const created = change({ ...nobody, stores: [], password: undefined, revision: 0 }, row, what);
    const bindsLater = operation === 'batch-update-user-stores' && changesStores(changes);
    return { ...created, revision: bindsLater ? 2 : 1, rows: 1 };
  }
  assert(isUser(before) && before.id === userId, what);
  const after = change(before, row, what);
  if (changes.username?.from === undefined) {
    return { ...after, revision: before.revision + revisionsOf(row), rows: before.rows + 1 };
  }
  const { id, revision, password, rows } = before;
  const last = { realName: '', phone: '', role: null, org: null, stores: [], id, revision, password, rows };
  assert.deepEqual({ ...after, status: '' }, { ...last, status: '' }, `the deletion says all: ${what}`);
  return undefined;
}

function change(user: UserState, { changes }: AuditRow, what: string): UserState {
  const { real_name, phone, status, role_id, org_id, stores } = changes;
  const text = (said: FromTo | undefined, known: string): string => {
    if (said === undefined) return known;
    if (said.from !== undefined && said.from !== null) assert.equal(said.from, known, what);
    return String(said.to ?? '');
  };
  const bound = (said: FromTo | undefined, known: number | null): number | null => {
    if (said === undefined) return known;
    assert.equal(said.from ?? null, known, what);
    return (said.to as number | null | undefined) ?? null;
  };
  const { added = [], removed = [] } = stores ?? {};
  for (const code of added) assert(!user.stores.includes(code), `only unbound stores are bound: ${what}`);
  for (const code of removed) assert(user.stores.includes(code), `only bound stores are unbound: ${what}`);
  return {
    ...user,
    realName: text(real_name, user.realName),
    phone: text(phone, user.phone),
    status: text(status, user.status),
    role: bound(role_id, user.role),
    org: bound(org_id, user.org),
    stores: [...user.stores.filter((code) => !removed.includes(code)), ...added].toSorted(),
  };
}

/** Returns by how much a row raises the revision: once for each statement that changes the user. */
function revisionsOf({ operation, changes }: AuditRow): number {
  if (operation !== 'batch-update-user-stores') return Object.keys(changes).length > 0 ? 1 : 0;
  const fields = Object.keys(changes).some((name) => name !== 'stores');
  return Number(fields) + Number(changesStores(changes));
}

function changesStores({ stores }: Changes): boolean {
  return (stores?.added?.length ?? 0) + (stores?.removed?.length ?? 0) > 0;
}
