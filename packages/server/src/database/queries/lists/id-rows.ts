import type { AliasedRawBuilder } from 'kysely';
import type { Engine } from '../session.ts';

/** Ids as a table `given` with one column `id`. */
export function idRows(
  engine: Engine,
  ids: readonly bigint[],
): AliasedRawBuilder<Record<string, unknown>, 'given'> {
  return engine.rowTable(encodeIds(ids), idColumns);
}

export const idColumns = [{ name: 'id', type: 'int64' }] as const;

/** The JSON text that an engine's `rowTable` reads; digits are written as they are. */
export function encodeIds(ids: readonly bigint[]): string {
  return `[${ids.map((id) => `[${id}]`).join(',')}]`;
}
