import type { TObject } from 'typebox';
import { ApiError } from '../../../errors/api-error.ts';
import { typeOf } from './wrong-value.ts';

/**
 * Throws 1002 unless a parsed body is an object.
 *
 * @param schema the object that it should be
 */
export function requireObject(value: unknown, schema: TObject): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new ApiError(1002, `the body must be a JSON object; it is ${describe(value, schema)}`);
}

function describe(value: unknown, schema: TObject): string {
  if (typeof value === 'string' && ['{', '['].includes(value.trimStart().charAt(0)))
    return 'a string that contains JSON; serialize the object once';
  return typeOf(value) + (Array.isArray(value) ? adviceFor(value, schema) : '');
}

function adviceFor(entries: readonly unknown[], schema: TObject): string {
  const list = listOf(schema, typeof entries[0]);
  if (list !== undefined) return `; send {${JSON.stringify(list)}:…} with the array in it`;
  return entries.length === 1 ? '; send its only entry, without the brackets' : '';
}

/** Returns the name of the list that an operation takes, if it has entries of that type. */
function listOf({ properties }: TObject, type: string): string | undefined {
  const fields = Object.entries(properties as Record<string, { items?: { type?: string } }>);
  return fields.find(([, { items }]) => items?.type === type)?.[0];
}
