import fastJson from 'fast-json-stringify';
import type { TObject, TSchema } from 'typebox';

/** Values of a list serialized at once. Even the longest take less than a millisecond together. */
const valuesAtOnce = 500;

type SerializeEntry = (entry: unknown) => Iterable<string>;

interface Member {
  readonly name: string;
  readonly isList: boolean;
  /** Returns the value as JSON. */
  readonly serialize: (value: unknown) => string;
}

/**
 * Makes the function that serializes an entry of a list. An entry may hold lists of its own, such as all stores of a
 * user. It then comes in pieces, between which the caller may serve others.
 */
export function entrySerializer(schema: TSchema): SerializeEntry {
  const serialize = fastJson(schema);
  const members = membersOf(schema);
  const lists = members.filter(({ isList }) => isList);
  return (entry) => {
    const values = entry as Record<string, unknown>;
    const isLong = lists.some(({ name }) => (values[name] as readonly unknown[]).length > valuesAtOnce);
    return isLong ? entryInPieces(members, values) : [serialize(entry)];
  };
}

/** Returns the members of entries that may be long, and none for others. */
function membersOf(schema: TSchema): readonly Member[] {
  const properties = Object.entries((schema as Partial<TObject>).properties ?? {});
  const isList = (property: TSchema) => (property as { type?: string }).type === 'array';
  if (!properties.some(([, property]) => isList(property))) return [];
  return properties.map(([name, property]) => ({
    name,
    isList: isList(property),
    serialize: fastJson(property),
  }));
}

function* entryInPieces(members: readonly Member[], values: Record<string, unknown>): Generator<string> {
  let separator = '{';
  for (const { name, isList, serialize } of members) {
    const value = values[name];
    if (value === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    if (isList) yield* listInPieces(value as readonly unknown[], serialize);
    else yield serialize(value);
    separator = ',';
  }
  yield '}';
}

function* listInPieces(list: readonly unknown[], serialize: Member['serialize']): Generator<string> {
  let separator = '[';
  for (let start = 0; start < list.length; start += valuesAtOnce) {
    yield `${separator}${serialize(list.slice(start, start + valuesAtOnce)).slice(1, -1)}`;
    separator = ',';
  }
  yield list.length === 0 ? '[]' : ']';
}
