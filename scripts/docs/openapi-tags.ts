import type { Operation } from '@fieldroster/contract';

/** The groups of operations, in reading order. */
export const tags = [
  { name: 'users', description: 'People, and what they are bound to' },
  { name: 'stores', description: 'The stores that sales representatives look after' },
  { name: 'roles', description: 'What users do; each user has at most one role' },
  { name: 'orgs', description: 'Where users belong: a tree; each user has at most one organization' },
  { name: 'audit', description: 'What was written, when, and by whom' },
] as const;

/**
 * Returns the group of an operation: the plural of its path's first segment.
 *
 * @throws {TypeError} for a path that belongs to no group
 */
export function tagOf({ path }: Pick<Operation, 'path'>): string {
  const first = path.split('/')[1] ?? '';
  const tag = tags.find(({ name }) => name === first || name === `${first}s`);
  if (tag === undefined)
    throw new TypeError(`${path} needs a tag; scripts/docs/openapi-tags.ts has them all`);
  return tag.name;
}
