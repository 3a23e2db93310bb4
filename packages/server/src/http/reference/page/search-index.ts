import type { Guide } from './guides/guide.ts';
import type { ErrorCode, Operation, Schema } from './operations.ts';

/** Something that the search finds. */
export interface SearchEntry {
  readonly kind: 'code' | 'operation' | 'field' | 'guide';
  /** Address within the page, such as `#/codes/1015`. */
  readonly address: string;
  readonly title: string;
  readonly detail: string;
  /** The method of an operation. */
  readonly method?: string;
  /** Lower-case text that must contain at least one word of the search. */
  readonly text: string;
  /** Lower-case text that may contain the other words. */
  readonly context: string;
}

/** Makes the entries of the search: operations, fields, codes and guides. */
export function searchEntries(
  operations: readonly Operation[],
  codes: readonly ErrorCode[],
  guides: readonly Guide[],
): SearchEntry[] {
  return [
    ...codes.map(codeEntry),
    ...operations.map(operationEntry),
    ...guides.map(guideEntry),
    ...operations.flatMap(fieldEntries),
  ];
}

/** Returns the entries that have every word, those with an exact title first. */
export function search(entries: readonly SearchEntry[], text: string): SearchEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found = entries.filter(
    (entry) =>
      words.some((word) => entry.text.includes(word)) &&
      words.every((word) => entry.text.includes(word) || entry.context.includes(word)),
  );
  const isExact = ({ title }: SearchEntry) => words.includes(title.toLowerCase());
  return [...found.filter(isExact), ...found.filter((entry) => !isExact(entry))];
}

function codeEntry({ code, name, meaning, cause }: ErrorCode): SearchEntry {
  return {
    kind: 'code',
    address: `#/codes/${code}`,
    title: String(code),
    detail: meaning,
    text: `${code} ${name} ${meaning}`.toLowerCase(),
    context: cause.toLowerCase(),
  };
}

function operationEntry({ id, name, method, path, summary, description, group }: Operation): SearchEntry {
  return {
    kind: 'operation',
    address: `#/${name}`,
    title: summary,
    detail: path,
    method,
    text: [id, name, method, path, summary, description, group].join(' ').toLowerCase(),
    context: '',
  };
}

function guideEntry({ name, title, summary, keywords }: Guide): SearchEntry {
  return {
    kind: 'guide',
    address: `#/${name}`,
    title,
    detail: '',
    text: `${name} ${title} ${keywords}`.toLowerCase(),
    context: summary.toLowerCase(),
  };
}

function fieldEntries(operation: Operation): SearchEntry[] {
  const { parameters, body, data } = operation;
  const places = [
    ...parameters.map(({ name }) => [name, 'query'] as const),
    ...fieldPaths(body?.schema).map((path) => [path, 'body'] as const),
    ...fieldPaths(data).map((path) => [path, 'answer'] as const),
  ];
  return places.map(([path, place]) => ({
    kind: 'field',
    address: `#/${operation.name}/${encodeURIComponent(path)}`,
    title: path,
    detail: `${operation.summary} · ${place}`,
    text: path.toLowerCase(),
    context: `${place} ${operation.name} ${operation.summary} ${operation.path}`.toLowerCase(),
  }));
}

/** Lists the paths of a schema's fields as the tables write them, such as `users[].id`. */
function fieldPaths(schema: Schema | undefined, prefix = ''): string[] {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, field]) => {
    const isList = field.items?.properties !== undefined;
    const path = prefix + name;
    return [path, ...fieldPaths(isList ? field.items : field, `${path}${isList ? '[].' : '.'}`)];
  });
}
