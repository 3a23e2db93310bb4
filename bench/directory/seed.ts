import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Database, OpenDirectory } from '@fieldroster/server/admin';
import type { SeededDirectory, Subject } from '../measurement.ts';
import { fillDirectory } from './fill-directory.ts';

/** Loads the server package of a checkout, which may be another revision. */
export function serverOf(root: string): Promise<typeof import('@fieldroster/server')> {
  return import(pathToFileURL(join(root, 'packages/server/src/index.ts')).href);
}

/** Fills a folder with a directory that is the same every time. Each user has a role and an organization. */
export async function seedDirectory({ root, users }: Subject, folder: string): Promise<SeededDirectory> {
  const { defaultTenantName: tenant, issueApplication, openDirectory } = await serverOf(root);
  const directory = await openDirectory({ data: folder, environment: {} });
  // Revisions that `--compare` names may still call it a store.
  const { database, store = database } = directory as OpenDirectory & { readonly store?: Database };
  const issued = await issueApplication(directory, { name: 'bench', tenant, scope: 'write' });
  await store.close();
  fillDirectory(folder, users);
  return { ...issued, folder, users };
}
