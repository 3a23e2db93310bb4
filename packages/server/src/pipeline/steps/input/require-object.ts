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
  const lists = listsOf(schema);
  const [first] = entries;
  const list = lists.find(({ type }) => entries.length > 0 && type === typeof first);
  if (list === undefined && entries.length === 1 && typeOf(first) === 'an object')
    return '; send its only entry, without the brackets';
  const { name } = list ?? (lists.length === 1 ? lists[0] : undefined) ?? {};
  return name === undefined ? '' : `; send {${JSON.stringify(name)}:…} with the array in it`;
}

/** Returns the lists that an operation takes, and the type of their entries. */
function listsOf({ properties }: TObject): { name: string; type: string | undefined }[] {
  const fields = Object.entries(properties as Record<string, { items?: { type?: string } }>);
  return fields.flatMap(([name, { items }]) => (items === undefined ? [] : [{ name, type: items.type }]));
}
