import type { Operation } from '@fieldroster/contract';
import { holdsIds } from './schema-types.ts';

/** A paged list operation, and the method that iterates over the whole list. */
export interface ListOperation {
  readonly key: string;
  /** `users` for `listUsers`. */
  readonly method: string;
  /** Field of the answer that contains the entries. */
  readonly items: string;
  readonly withIds: boolean;
  /** Whether the method requires any input besides the page. */
  readonly required: boolean;
}

/** Finds the paged operations: those that take a cursor and answer the next one. */
export function listOperations(table: readonly (readonly [key: string, Operation])[]): ListOperation[] {
  return table.flatMap(([key, { query, data }]) => {
    if (data === undefined || !('cursor' in (query?.properties ?? {}))) return [];
    const [items, ...more] = Object.keys(data.properties).filter((name) => name !== 'next_cursor');
    if (items === undefined || more.length > 0) {
      throw new TypeError(`${key} must answer next_cursor and one array of entries`);
    }
    const required = (query?.required ?? []).length > 0;
    return [{ key, method: methodOf(key), items, withIds: holdsIds(data), required }];
  });
}

function methodOf(key: string): string {
  const [, name] = /^list([A-Z].*s)$/.exec(key) ?? [];
  if (name === undefined) throw new TypeError(`${key} answers pages, and must be called list…s`);
  return name.charAt(0).toLowerCase() + name.slice(1);
}
