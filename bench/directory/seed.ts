import type { SeededDirectory, Subject } from '../measurement.ts';
import { serverOf } from '../process/packages-of.ts';

/** What every seeded directory holds besides its users. */
export const seeded = { stores: 20_000, roles: 20, orgs: 200 } as const;

const usersPerTransaction = 5_000;

/** Code of the store with that number, from 0. */
export function storeCode(index: number): string {
  return `S${String(index).padStart(7, '0')}`;
}

/** Login name of the user with that id, from 1. */
export function username(id: number): string {
  return `user.${String(id).padStart(7, '0')}`;
}

/** Fills a folder with a directory that is the same every time: each user has a role and an organization. */
export async function seedDirectory({ root, users }: Subject, folder: string): Promise<SeededDirectory> {
  const server = await serverOf(root);
  const directory = await server.openDirectory({ data: folder, environment: {} });
  try {
    const tenant = await server.requireTenant(directory.store, server.defaultTenantName);
    const issued = await server.issueApplication(directory, {
      name: 'bench',
      tenant: tenant.name,
      scope: 'write',
    });
    await importSurroundings(directory.store, tenant.id);
    for (let first = 1; first <= users; first += usersPerTransaction) {
      await writeUsers(directory.store, tenant.id, first, Math.min(users, first + usersPerTransaction - 1));
    }
    return { ...issued, folder, users };
  } finally {
    await directory.store.close();
  }
}

type Store = import('@fieldroster/server').Store;

async function importSurroundings({ importer }: Store, tenantId: bigint): Promise<void> {
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

function writeUsers(store: Store, tenantId: bigint, first: number, last: number): Promise<void> {
  return store.write(tenantId, undefined, async (directory) => {
    for (let number = first; number <= last; number += 1) {
      const id = await directory.insertUser(username(number), profile(number));
      if (id !== BigInt(number)) throw new Error(`user ${number} was given the id ${id}`);
      await directory.replaceUserRole(id, BigInt(1 + (number % seeded.roles)));
      await directory.replaceUserOrg(id, BigInt(1 + (number % seeded.orgs)));
    }
    return { result: undefined, audit: { operation: 'bench-seed', changes: {} } };
  });
}

function profile(number: number) {
  return {
    realName: `Representative ${number}`,
    nickname: `Rep ${number}`,
    gender: 1 + (number % 2),
    email: `rep${number}@example.com`,
    phone: `+49 30 ${1_000_000 + number}`,
    department: `Sales ${number % 40}`,
    avatar: `https://images.example.com/${number}.png`,
    uniqueCode: `E${number}`,
    extInfo: '',
  };
}
