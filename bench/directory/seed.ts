import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SeededDirectory, Subject } from '../measurement.ts';
import { serverOf } from '../process/packages-of.ts';
import { fillUsers } from './fill-users.ts';
import { seeded, storeCode } from './seeded-user.ts';

/** Fills a folder with a directory that is the same every time. Each user has a role and an organization. */
export async function seedDirectory({ root, users }: Subject, folder: string): Promise<SeededDirectory> {
  const server = await serverOf(root);
  const directory = await server.openDirectory({ data: folder, environment: {} });
  const database = databaseOf(directory);
  const surround = async () => {
    const tenant = await server.requireTenant(database, server.defaultTenantName);
    const issued = await server.issueApplication(directory, {
      name: 'bench',
      tenant: tenant.name,
      scope: 'write',
    });
    await importSurroundings(database, tenant.id);
    return { issued, tenantId: tenant.id };
  };
  const { issued, tenantId } = await surround().finally(() => database.close());
  fillUsers(folder, tenantId, users);
  return { ...issued, folder, users };
}

const seedSources = ['seed.ts', 'fill-users.ts', 'seeded-user.ts'];

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

type Database = import('@fieldroster/server/admin').Database;

/** Revisions that `--compare` names may still call it a store. */
function databaseOf(directory: { readonly database?: Database; readonly store?: Database }): Database {
  const database = directory.database ?? directory.store;
  if (database === undefined) throw new TypeError('the revision opens a directory in another way');
  return database;
}

async function importSurroundings({ importer }: Database, tenantId: bigint): Promise<void> {
  await importer.importRoles(
    tenantId,
    chunk(seeded.roles, (index) => ({
      id: BigInt(index + 1),
      name: `Role ${index + 1}`,
      systemId: 1n,
      position: index,
      description: 'Looks after stores',
    })),
  );
  await importer.importOrgs(
    tenantId,
    chunk(seeded.orgs, (index) => ({
      id: BigInt(index + 1),
      name: `Region ${index + 1}`,
      parentId: index === 0 ? 0n : 1n,
    })),
  );
  await importer.importStores(
    tenantId,
    chunk(seeded.stores, (index) => ({
      code: storeCode(index),
      name: `Store ${index}`,
      address: `${index} High Street`,
    })),
  );
}

async function* chunk<Row>(
  count: number,
  row: (index: number) => Row,
): AsyncGenerator<(Row & { line: number })[]> {
  yield Array.from({ length: count }, (_, index) => ({ ...row(index), line: index + 2 }));
}
