import { issueApplication } from '@fieldroster/server/admin';
import { openProvisioned, type Provisioned } from '../provision-directory.ts';
import type { Credentials } from '../signed-client.ts';

/** Issues an application that may change users and stores. */
export async function issueManager(
  provisioned: Pick<Provisioned, 'data' | 'database'>,
): Promise<Credentials> {
  const directory = await openProvisioned(provisioned);
  const { appId, appSecret } = await issueApplication(directory, {
    name: 'manager',
    tenant: 'default',
    scope: 'manage',
  });
  await directory.database.close();
  return { appId, appSecret };
}
