import type { Operations } from '@fieldroster/contract';
import { presentManagedOrg } from '../directory/orgs.ts';
import type { Handler } from './handler.ts';
import { readPageById } from './read-page.ts';

export const listOrgs: Handler<Operations['listOrgs']> = async (input, { directory }) => {
  const { orgs } = directory;
  const { entries, next_cursor } = await readPageById('list-orgs', input, (after, limit) =>
    orgs.list(after, limit),
  );
  return { orgs: entries.map(presentManagedOrg), next_cursor };
};
