import type { SeededDirectory, Subject } from '../measurement.ts';
import { serverOf } from '../process/packages-of.ts';
import { fillUsers } from './fill-users.ts';
import { seeded, storeCode } from './seeded-user.ts';

/** Fills a folder with a directory that is the same every time: each user has a role and an organization. */
export async function seedDirectory({ root, users }: Subject, folder: string): Promise<SeededDirectory> {
  const server = await serverOf(root);
  const directory = await server.openDirectory({ data: folder, environment: {} });
  const surround = async () => {
    const tenant = await server.requireTenant(directory.database, server.defaultTenantName);
    const issued = await server.issueApplication(directory, {
      name: 'bench',
      tenant: tenant.name,
      scope: 'write',
    });
    await importSurroundings(directory.database, tenant.id);
    return { issued, tenantId: tenant.id };
  };
  const { issued, tenantId } = await surround().finally(() => directory.database.close());
  fillUsers(folder, tenantId, users);
  return { ...issued, folder, users };
}

type Database = import('@fieldroster/server/admin').Database;

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
