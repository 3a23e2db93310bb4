import type { IdMode } from './client-options.ts';
import { UnsafeIdError } from './errors.ts';

/** Where int64 values stand in an answer: `true` at one, an object above some; arrays are as their items. */
export interface Int64Shape {
  readonly [name: string]: true | Int64Shape;
}

/**
 * Gives every int64 of an answer's data the type that the caller chose; everything else stays as it is.
 *
 * @throws {UnsafeIdError} when a `number` was chosen and cannot hold one
 */
export function presentIds(data: unknown, shape: Int64Shape, mode: IdMode): unknown {
  if (Array.isArray(data)) return data.map((item) => presentIds(item, shape, mode));
  if (typeof data !== 'object' || data === null) return data;
  const presented: Record<string, unknown> = { ...data };
  for (const [name, inner] of Object.entries(shape)) {
    if (!Object.hasOwn(data, name)) continue;
    presented[name] =
      inner === true ? presentId(name, presented[name], mode) : presentIds(presented[name], inner, mode);
  }
  return presented;
}

function presentId(name: string, value: unknown, mode: IdMode): unknown {
  // The parser leaves safe integers as numbers, and made a bigint of any other.
  if (typeof value === 'number' && Number.isSafeInteger(value))
    return mode === 'bigint' ? BigInt(value) : value;
  if (typeof value === 'bigint' && mode === 'number') throw new UnsafeIdError(name, value);
  return value;
}
