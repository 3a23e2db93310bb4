import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Database, OpenDirectory } from '@fieldroster/server/admin';
import type { SeededDirectory, Subject } from '../measurement.ts';
import { serverOf } from '../process/packages-of.ts';
import { fillDirectory } from './fill-directory.ts';

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

const seedSources = ['seed.ts', 'fill-directory.ts', 'seeded-user.ts'];

/** Changes with the tables and with the seeded rows, so that a kept directory never has the wrong content. */
export async function seedFingerprint(root: string, emptyFolder: string): Promise<string> {
  await seedDirectory({ root, users: 0 }, emptyFolder);
  const db = new DatabaseSync(join(emptyFolder, 'fieldroster.db'), { readOnly: true });
  const tables = db.prepare('select sql from sqlite_master where sql is not null order by name').all();
  db.close();
  const hash = createHash('sha256').update(JSON.stringify(tables));
  for (const name of seedSources) hash.update(readFileSync(join(import.meta.dirname, name)));
  return hash.digest('hex').slice(0, 12);
}
