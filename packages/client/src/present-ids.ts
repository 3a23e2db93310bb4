import type { IdMode } from './client-options.ts';
import { UnsafeIdError } from './errors.ts';

/**
 * Locates the int64 values of an answer: `true` for one, an object for a parent of some. Arrays look like their
 * items.
 */
export interface Int64Shape {
  readonly [name: string]: true | Int64Shape;
}

/**
 * Converts every int64 of an answer's data to the type that the caller chose; everything else stays unchanged.
 *
 * @throws {UnsafeIdError} when the caller chose `number` and a value does not fit
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
  // The parser returned safe integers as numbers and all others as bigint.
  if (mode === 'text') return String(value);
  if (typeof value === 'number' && Number.isSafeInteger(value))
    return mode === 'bigint' ? BigInt(value) : value;
  if (typeof value === 'bigint' && mode === 'number') throw new UnsafeIdError(name, value);
  return value;
}
