import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectFieldroster } from './fieldroster-command.ts';
import type { Credentials } from './signed-client.ts';

export interface Provisioned {
  /** Folder of the database. */
  readonly data: string;
  /** Folder for a test's own files. */
  readonly folder: string;
  readonly credentials: Credentials;
  readonly storeCodes: readonly string[];
  readonly roleIds: readonly number[];
  readonly orgIds: readonly number[];
  remove(): Promise<void>;
}

/** Makes a database the way an operator does: an application, then roles, organizations and stores from files. */
export async function provisionDirectory(storeCount = 200): Promise<Provisioned> {
  const folder = await mkdtemp(join(tmpdir(), 'fieldroster-e2e-'));
  const data = join(folder, 'data');
  const storeCodes = Array.from({ length: storeCount }, (_, index) => storeCodeOf(index));
  const roleIds = [11, 12, 13];
  const orgIds = [21, 22, 23];
  const credentials = await issueCredentials(data);
  await importRows(
    data,
    folder,
    'role',
    'id,name,system_id',
    roleIds.map((id) => `${id},Role ${id},7`),
  );
  await importRows(
    data,
    folder,
    'org',
    'id,name',
    orgIds.map((id) => `${id},Organization ${id}`),
  );
  await importRows(data, folder, 'store', 'code,name,address', storeCodes.map(storeRow));
  return {
    data,
    folder,
    credentials,
    storeCodes,
    roleIds,
    orgIds,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function issueCredentials(data: string): Promise<Credentials> {
  const printed = await expectFieldroster('app', 'create', '--name', 'e2e', '--data', data, '--json');
  const { app_id, app_secret } = JSON.parse(printed) as { app_id: string; app_secret: string };
  return { appId: app_id, appSecret: app_secret };
}

async function importRows(
  data: string,
  folder: string,
  kind: 'role' | 'org' | 'store',
  header: string,
  rows: readonly string[],
): Promise<void> {
  const file = join(folder, `${kind}.csv`);
  await writeFile(file, `${[header, ...rows].join('\n')}\n`);
  await expectFieldroster(kind, 'import', file, '--data', data);
}

export function storeCodeOf(index: number): string {
  return `S${String(index).padStart(6, '0')}`;
}

export function storeRow(code: string): string {
  return `${code},Store ${code},Street of ${code}`;
}
