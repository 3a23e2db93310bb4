import { stringifyExactJson } from './exact-json.ts';
import { type OperationMethods, operations } from './generated/operations.ts';
import type { Int64Shape } from './present-ids.ts';

export type OperationKey = keyof OperationMethods;

/** An unsigned request: everything that stays the same however often it is signed. */
export interface PreparedRequest {
  readonly method: string;
  readonly url: string;
  /** Path and query of `url`, as sent. */
  readonly target: string;
  readonly body: string | undefined;
}

/**
 * Puts the fields where the operation expects them. Omits fields that are `undefined` or null, except for an
 * `if_revision` that is `undefined`, which it refuses: null means that the change depends on no revision.
 *
 * @throws {TypeError} for an integer given as a number that is not safe, or as a string with anything but digits, and for
 * an `if_revision` that is there but undefined
 */
export function prepareRequest(baseUrl: string, key: OperationKey, input: object): PreparedRequest {
  const { method, path, fieldsIn, takes = {} }: Route = operations[key];
  requireKnownRevision(input);
  const fields = Object.entries(input).filter(([, value]) => value !== undefined && value !== null);
  for (const [name, value] of fields) requireExact(name, value);
  const query = fieldsIn === 'query' && fields.length > 0 ? `?${queryOf(fields)}` : '';
  const { href, pathname, search } = new URL(`${baseUrl}${path}${query}`);
  const body =
    fieldsIn === 'body' ? stringifyExactJson(withIntegers(Object.fromEntries(fields), takes)) : undefined;
  return { method, url: href, target: pathname + search, body };
}

interface Route {
  readonly method: string;
  readonly path: string;
  readonly fieldsIn: 'query' | 'body';
  /** Where its input has int64 values. */
  readonly takes?: Int64Shape;
}

/** Converts ids given as strings to integers, because JSON distinguishes them. */
function withIntegers(value: unknown, shape: Int64Shape, path = ''): unknown {
  if (Array.isArray(value)) return value.map((item, index) => withIntegers(item, shape, `${path}${index}.`));
  if (typeof value !== 'object' || value === null) return value;
  const changed: Record<string, unknown> = { ...value };
  for (const [name, inner] of Object.entries(shape)) {
    if (!Object.hasOwn(value, name)) continue;
    changed[name] =
      inner === true
        ? toInteger(path + name, changed[name])
        : withIntegers(changed[name], inner, `${path}${name}.`);
  }
  return changed;
}

function toInteger(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (!/^-?\d{1,19}$/.test(value)) throw new TypeError(`${name} is ${JSON.stringify(value)}, not an integer`);
  return BigInt(value);
}

/** A caller that names a condition must not send an unconditional request because it found no revision. */
function requireKnownRevision(input: { readonly if_revision?: unknown }): void {
  if (!Object.hasOwn(input, 'if_revision') || input.if_revision !== undefined) return;
  throw new TypeError(
    'if_revision is undefined, so the change would not depend on a revision; pass the revision that you read, or null to change whatever is there',
  );
}

function requireExact(name: string, value: unknown): void {
  if (typeof value === 'object' && value !== null) {
    for (const [inner, member] of Object.entries(value)) requireExact(`${name}.${inner}`, member);
  }
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return;
  const advice = Number.isInteger(value)
    ? '; pass it as a bigint, because the number has already been rounded'
    : '';
  throw new TypeError(`${name} is ${value}, not an integer that a number holds exactly${advice}`);
}

function queryOf(fields: readonly [name: string, value: unknown][]): string {
  return fields.map(([name, value]) => `${name}=${encodeValue(name, String(value))}`).join('&');
}

function encodeValue(name: string, value: string): string {
  try {
    return encodeURIComponent(value);
  } catch (cause) {
    throw new TypeError(`${name} must be valid Unicode; it has half of a surrogate pair`, { cause });
  }
}
