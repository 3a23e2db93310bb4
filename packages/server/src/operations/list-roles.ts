import type { Operations } from '@fieldroster/contract';
import { presentManagedRole } from '../directory/roles.ts';
import type { Handler } from './handler.ts';
import { readPageById } from './read-page.ts';

export const listRoles: Handler<Operations['listRoles']> = async (input, { directory }) => {
  const { roles } = directory;
  const { entries, next_cursor } = await readPageById('list-roles', input, (after, limit) =>
    roles.list(after, limit),
  );
  return { roles: entries.map(presentManagedRole), next_cursor };
};
