import { setTimeout as delay } from 'node:timers/promises';
import {
  defaultTenantName,
  inviteOperator,
  issueApplication,
  type OpenDirectoryOptions,
  useDirectory,
} from '@fieldroster/server/admin';

export interface FirstApplication {
  readonly appId: string;
  readonly appSecret: string;
}

/** Tolerated delay of the server's poll. */
const lateMs = 100;

const firstName = 'First application';

/** Issues the application and waits until the server has seen it, so that the printed credentials work at once. */
export function issueFirstApplication(place: OpenDirectoryOptions): Promise<FirstApplication> {
  const request = { name: firstName, tenant: defaultTenantName, scope: 'write' } as const;
  return useDirectory(place, async (directory) => {
    const issued = await issueApplication(directory, request);
    await delay(directory.database.applications.revisionPollMs + lateMs);
    return issued;
  });
}

/**
 * Finds a first application whose secret nobody may have: a start that is killed after it has issued the application
 * does not print the secret, and later starts issue none.
 *
 * @returns its APPID; `undefined` if it has been used or rotated, or another application exists
 */
export function findUnusedFirstApplication(place: OpenDirectoryOptions): Promise<string | undefined> {
  return useDirectory(place, async ({ database }) => {
    const [only, ...others] = await database.applications.listApplications();
    if (only?.name !== firstName || only.status !== 'active' || others.length > 0) return undefined;
    const [secret, ...earlier] = only.secrets;
    const isUnused = secret !== undefined && secret.lastUsedAtMs === undefined && earlier.length === 0;
    return isUnused ? only.appId : undefined;
  });
}

/**
 * Makes the link that creates the first owner of the console.
 *
 * @returns the token; `undefined` once there is an operator
 */
export function inviteFirstOwner(place: OpenDirectoryOptions): Promise<string | undefined> {
  return useDirectory(place, async (directory) => {
    if ((await directory.database.operators.list()).length > 0) return undefined;
    return (await inviteOperator(directory, { role: 'owner' })).token;
  });
}
