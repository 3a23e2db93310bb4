import { issueApplication, openDirectory } from '@fieldroster/server/admin';
import type { Provisioned } from '../provision-directory.ts';
import type { Credentials } from '../signed-client.ts';

/** Issues an application that may change users and stores. */
export async function issueManager({
  data,
  database,
}: Pick<Provisioned, 'data' | 'database'>): Promise<Credentials> {
  const directory = await openDirectory({ data, environment: {}, ...(database && { database }) });
  const { appId, appSecret } = await issueApplication(directory, {
    name: 'manager',
    tenant: 'default',
    scope: 'manage',
  });
  await directory.store.close();
  return { appId, appSecret };
}
