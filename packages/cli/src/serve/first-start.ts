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

/** Issues the application and waits until the server has seen it, so that the printed credentials work at once. */
export function issueFirstApplication(place: OpenDirectoryOptions): Promise<FirstApplication> {
  const request = { name: 'First application', tenant: defaultTenantName, scope: 'write' } as const;
  return useDirectory(place, async (directory) => {
    const issued = await issueApplication(directory, request);
    await delay(directory.database.applications.revisionPollMs + lateMs);
    return issued;
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
