import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { seedDirectory } from './seed.ts';

const sources = ['seed.ts', 'fill-users.ts', 'seeded-user.ts'];

/** Differs when the tables or what is written to them differ: a kept directory of before is not used then. */
export async function seedFingerprint(root: string, emptyFolder: string): Promise<string> {
  await seedDirectory({ root, users: 0 }, emptyFolder);
  const db = new DatabaseSync(join(emptyFolder, 'fieldroster.db'), { readOnly: true });
  const tables = db.prepare('select sql from sqlite_master where sql is not null order by name').all();
  db.close();
  const hash = createHash('sha256').update(JSON.stringify(tables));
  for (const name of sources) hash.update(readFileSync(join(import.meta.dirname, name)));
  return hash.digest('hex').slice(0, 12);
}
