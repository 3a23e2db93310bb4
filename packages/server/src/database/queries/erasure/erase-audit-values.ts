import { sql } from 'kysely';
import type { Erasure } from '../../erasures.ts';
import { compileOnce } from '../compile-once.ts';
import type { Cell } from '../rows-json.ts';
import type { Session, Transact } from '../session.ts';
import { given } from '../targets/given-rows.ts';
import { changeRows } from '../writes/change-rows.ts';
import { changesOfUser, type StoredChanges } from './changes-of-user.ts';

type User = Pick<Erasure, 'tenantId' | 'userId'>;

/** How many audit rows a transaction changes at most, so that it keeps no write waiting for long. */
const rowsAtOnce = 500;

/**
 * Removes the values of a user's audit rows, except from those with a username: if the erasure ends early, the next one
 * finds a deleted user by them.
 *
 * @returns the ids of the rows whose values it removed
 */
export async function eraseAuditValuesInParts(
  reader: Session,
  transact: Transact,
  user: User,
): Promise<ReadonlySet<bigint>> {
  const erased = new Set<bigint>();
  const erase = async (rows: readonly StoredChanges[]) => {
    await transact(async (session) => {
      await session.engine.overwriteDeleted(session.db);
      await storeChanges(session, {}, rows.map(toCells));
    });
    for (const { id } of rows) erased.add(id);
  };
  let rows: StoredChanges[] = [];
  for await (const row of withoutValues(changesOfUser(reader, user))) {
    if (row.isNamed) continue;
    rows.push(row);
    if (rows.length < rowsAtOnce) continue;
    await erase(rows);
    rows = [];
  }
  if (rows.length > 0) await erase(rows);
  return erased;
}

/**
 * Removes the values of a user's audit rows.
 *
 * @param except ids of rows that have none
 * @returns the number of rows that had values
 */
export async function eraseAuditValues(
  session: Session,
  user: User,
  except?: ReadonlySet<bigint>,
): Promise<number> {
  let erased = 0;
  for await (const row of withoutValues(changesOfUser(session, user, except))) {
    await storeChanges(session, {}, [toCells(row)]);
    erased += 1;
  }
  return erased;
}

interface WithoutValues extends StoredChanges {
  /** Whether a username was among the values. */
  readonly isNamed: boolean;
}

/**
 * Passes on the rows that have values, without them. Keeps the names of the changed fields: `GET /audit` shows values
 * that a caller may not see in the same way.
 */
async function* withoutValues(rows: AsyncIterable<StoredChanges>): AsyncGenerator<WithoutValues, void> {
  for await (const { id, changes } of rows) {
    const names = Object.keys(JSON.parse(changes) as object);
    const without = JSON.stringify(Object.fromEntries(names.map((name) => [name, {}])));
    if (without !== changes) yield { id, changes: without, isNamed: names.includes('username') };
  }
}

const storedColumns = [
  { name: 'id', type: 'int64' },
  { name: 'changes', type: 'text' },
] as const;

const storeChanges = changeRows<Record<string, unknown>, { id: Cell; changes: Cell }>(storedColumns, {
  each: (db, value) =>
    db
      .updateTable('audit_event')
      .set({ changes: sql<string>`${value.changes}` })
      .where('id', '=', sql<bigint>`${value.id}`),
  together: compileOnce((db, value: { rows: string }, engine) =>
    db
      .updateTable('audit_event')
      .from(engine.rowTable(value.rows, storedColumns))
      .set({ changes: given('changes') })
      .where('audit_event.id', '=', given<bigint>('id')),
  ),
});

function toCells({ id, changes }: StoredChanges): [bigint, string] {
  return [id, changes];
}
