import { stringifyExactJson } from './exact-json.ts';

/** Elements of a long array that are written at once. */
const elementsAtOnce = 250;

/** Arrays of up to this many elements are written at once, in a few milliseconds if each has a hundred characters. */
const elementsMax = 4_000;

/** Returns whether a value of a JSON object, or a value of such a value, is an array too long to be written at once. */
export function hasLongArray(object: Readonly<Record<string, unknown>>, levels = 2): boolean {
  return Object.values(object).some((value) =>
    Array.isArray(value)
      ? value.length > elementsMax
      : levels > 1 && isObject(value) && hasLongArray(value, levels - 1),
  );
}

/** Writes the same JSON as {@link stringifyExactJson}, in pieces that take less than a millisecond each. */
export function* jsonPieces(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    yield '[';
    for (let start = 0; start < value.length; start += elementsAtOnce) {
      const elements = stringifyExactJson(value.slice(start, start + elementsAtOnce)).slice(1, -1);
      yield start === 0 ? elements : `,${elements}`;
    }
    yield ']';
  } else if (isObject(value)) {
    let separator = '{';
    for (const [name, part] of Object.entries(value)) {
      if (part === undefined) continue;
      yield `${separator}${JSON.stringify(name)}:`;
      yield* jsonPieces(part);
      separator = ',';
    }
    yield separator === '{' ? '{}' : '}';
  } else {
    yield stringifyExactJson(value);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
