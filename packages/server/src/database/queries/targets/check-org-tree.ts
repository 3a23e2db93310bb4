import { limits } from '@fieldroster/contract';
import { problemTexts } from '@fieldroster/contract/problems';
import { sql } from 'kysely';
import { ImportRowError } from '../../database.ts';
import type { Session } from '../session.ts';

/** @throws {ImportRowError} when a staged organization's parent is neither staged nor in the directory */
export async function refuseUnknownParents({ db }: Session, tenantId: bigint): Promise<void> {
  const { rows } = await sql<{ line: bigint; parent_id: bigint }>`
    select line, parent_id from staged_org as child where parent_id <> 0
    and not exists (select 1 from staged_org as parent where parent.id = child.parent_id)
    and not exists (select 1 from org where tenant_id = ${tenantId} and org.id = child.parent_id)
    order by line limit 1`.execute(db);
  const [row] = rows;
  if (row === undefined) return;
  const message = `there is no organization ${row.parent_id}, neither in the file nor in the directory`;
  throw new ImportRowError(Number(row.line), 'parent_id', message);
}

/**
 * @throws {ImportRowError} when a staged organization would be its own ancestor, or the tree would have too many levels
 *   below its parent; each needs its final parent
 */
export async function refuseUnsoundTree({ db }: Session, tenantId: bigint): Promise<void> {
  const parents = new Map<bigint, bigint>();
  const query = db.selectFrom('org').select(['id', 'parent_id']).where('tenant_id', '=', tenantId);
  for (const { id, parent_id } of await query.execute()) if (parent_id !== null) parents.set(id, parent_id);
  const staged = await sql<{
    id: bigint;
    line: bigint;
    parent_id: bigint;
  }>`select id, line, parent_id from staged_org order by line`.execute(db);
  const movedOn = new Map<bigint, bigint>();
  for (const { id, line, parent_id } of staged.rows) {
    if ((parents.get(id) ?? 0n) !== parent_id) movedOn.set(id, line);
    if (parent_id === 0n) parents.delete(id);
    else parents.set(id, parent_id);
  }
  const lines = new Map(staged.rows.map(({ id, line }) => [id, line]));
  const cycle = findCycle(parents, lines.keys());
  if (cycle !== undefined) throw cycleError(cycle, lines);
  const tooDeep = findTooDeep(parents, movedOn);
  if (tooDeep !== undefined) throw levelsError(tooDeep, parents.get(tooDeep), lines);
}

/** Returns the ids of a cycle above one of the starting points, each followed by its parent. */
export function findCycle(
  parents: ReadonlyMap<bigint, bigint>,
  starts: Iterable<bigint>,
): bigint[] | undefined {
  const clear = new Set<bigint>();
  for (const start of starts) {
    const path = new Set<bigint>();
    let id: bigint | undefined = start;
    for (; id !== undefined && !clear.has(id); id = parents.get(id)) {
      if (path.has(id)) return [...path].slice([...path].indexOf(id));
      path.add(id);
    }
    for (const visited of path) clear.add(visited);
  }
  return undefined;
}

interface Standing {
  readonly level: number;
  /** The nearest organization that the file puts below another parent, from this one upwards. */
  readonly moved: bigint | undefined;
}

/**
 * Returns an organization that the file moves, below whose parent the tree would have too many levels. Of several, those
 * come first that are first in the file. Cycles that the file leaves alone end the walk.
 */
function findTooDeep(
  parents: ReadonlyMap<bigint, bigint>,
  movedOn: ReadonlyMap<bigint, bigint>,
): bigint | undefined {
  const known = new Map<bigint, Standing>();
  for (const start of [...movedOn.keys(), ...parents.keys()]) {
    const path = new Set<bigint>();
    let id: bigint | undefined = start;
    for (; id !== undefined && !known.has(id) && !path.has(id); id = parents.get(id)) path.add(id);
    let above = id === undefined ? undefined : known.get(id);
    for (const below of [...path].toReversed()) {
      const isMoved = movedOn.has(below) && parents.has(below);
      above = { level: (above?.level ?? 0) + 1, moved: isMoved ? below : above?.moved };
      known.set(below, above);
      if (above.level > limits.orgLevelsMax && above.moved !== undefined) return above.moved;
    }
  }
  return undefined;
}

function levelsError(
  id: bigint,
  parentId: bigint | undefined,
  lines: ReadonlyMap<bigint, bigint>,
): ImportRowError {
  const values = { parent: String(parentId), max: limits.orgLevelsMax };
  return new ImportRowError(Number(lines.get(id)), 'parent_id', problemTexts.tooManyLevels(values));
}

const idsShownMax = 10;

function cycleError(cycle: readonly bigint[], lines: ReadonlyMap<bigint, bigint>): ImportRowError {
  // The directory had no cycle before, so at least one of its members comes from the file.
  const [first] = cycle
    .filter((id) => lines.has(id))
    .sort((a, b) => Number((lines.get(a) ?? 0n) - (lines.get(b) ?? 0n)));
  if (first === undefined) throw new TypeError('the organizations in the directory do not form a tree');
  const at = cycle.indexOf(first);
  const path = [...cycle.slice(at), ...cycle.slice(0, at + 1)];
  const shown = path.length > idsShownMax ? [...path.slice(0, idsShownMax), '…', first] : path;
  const message = `organization ${first} would be above itself: ${shown.join(' → ')}`;
  return new ImportRowError(Number(lines.get(first)), 'parent_id', message);
}
