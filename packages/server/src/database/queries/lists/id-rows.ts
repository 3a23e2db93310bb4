import type { AliasedRawBuilder } from 'kysely';
import { rowsToJson } from '../rows-json.ts';
import type { Engine } from '../session.ts';

/** Returns ids as a table `given` with one column `id`. */
export function idRows(
  engine: Engine,
  ids: readonly bigint[],
): AliasedRawBuilder<Record<string, unknown>, 'given'> {
  return engine.rowTable(encodeIds(ids), idColumns);
}

export const idColumns = [{ name: 'id', type: 'int64' }] as const;

/** Returns the JSON text that an engine's `rowTable` reads. */
export function encodeIds(ids: readonly bigint[]): string {
  return rowsToJson(ids.map((id) => [id]));
}
