import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FieldrosterClient } from '@fieldroster/client';
import { runCommand, temporaryFolder } from './run-command.ts';
import { startServe } from './serve-process.ts';

/** The environment variables that lead commands to a server and its application. */
export type CallEnvironment = Readonly<
  Record<'FIELDROSTER_URL' | 'FIELDROSTER_APP_ID' | 'FIELDROSTER_APP_SECRET', string>
>;

/** A tenant of a running server, with an application of the largest scope. */
export interface BenchTenant {
  readonly name: string;
  readonly env: CallEnvironment;
  readonly client: FieldrosterClient;
}

/** A server process on a folder, with tenants, and a folder for other files beside its data. */
export class ImportBench {
  readonly folder: string;
  readonly #data: string;
  readonly #tenants: ReadonlyMap<string, BenchTenant>;

  private constructor(folder: string, data: string, tenants: readonly BenchTenant[]) {
    this.folder = folder;
    this.#data = data;
    this.#tenants = new Map(tenants.map((tenant) => [tenant.name, tenant]));
  }

  static async open(...names: readonly string[]): Promise<ImportBench> {
    const folder = temporaryFolder();
    const data = join(folder, 'data');
    const credentials: Credentials[] = [];
    for (const name of names) credentials.push(await makeTenant(name, data));
    const { url } = await startServe(['--data', data]);
    const tenants = credentials.map((of) => toTenant(of, url));
    for (const { client } of tenants) await fillTargets(client);
    return new ImportBench(folder, data, tenants);
  }

  tenant(name: string): BenchTenant {
    const tenant = this.#tenants.get(name);
    if (tenant === undefined) throw new TypeError(`the bench has no tenant ${name}`);
    return tenant;
  }

  /** Writes a file and returns its path. */
  write(name: string, content: string | Uint8Array): string {
    const path = join(this.folder, name);
    writeFileSync(path, content);
    return path;
  }

  /** Returns every user of a tenant from the database, without values that differ between runs. */
  readUsers(name: string): unknown[] {
    const file = 'fieldroster.db';
    const database = new DatabaseSync(join(this.#data, String(file)), { readOnly: true });
    try {
      return database.prepare(query).all(name);
    } finally {
      database.close();
    }
  }
}

interface Credentials {
  readonly name: string;
  readonly appId: string;
  readonly appSecret: string;
}

async function makeTenant(name: string, data: string): Promise<Credentials> {
  await runCommand(['tenant', 'create', name, '--data', data]);
  const words = ['app', 'create', '--name', name, '--tenant', name, '--scope', 'manage', '--json'];
  const { stdout } = await runCommand([...words, '--data', data]);
  const { app_id, app_secret } = JSON.parse(stdout) as Record<string, string>;
  return { name, appId: String(app_id), appSecret: String(app_secret) };
}

function toTenant({ name, appId, appSecret }: Credentials, url: string): BenchTenant {
  return {
    name,
    env: { FIELDROSTER_URL: url, FIELDROSTER_APP_ID: appId, FIELDROSTER_APP_SECRET: appSecret },
    client: new FieldrosterClient({ url, appId, appSecret, timeoutMs: 60_000 }),
  };
}

export const storeCodes = Array.from({ length: 300 }, (_, index) => `S${String(index).padStart(3, '0')}`);

/** Creates roles 7 and 8, organizations 1 and 2, and the stores. */
async function fillTargets(client: FieldrosterClient): Promise<void> {
  for (const [id, name] of [
    [7n, 'Representative'],
    [8n, 'Leader'],
  ] as const) {
    await client.createRole({ id, name });
  }
  await client.createOrg({ id: 1n, name: 'Head' });
  await client.createOrg({ id: 2n, name: 'North', parent_id: 1n });
  await client.upsertStores({ stores: storeCodes.map((code) => ({ code, name: `Store ${code}` })) });
}

const query = `
  select username, real_name, phone, department, ext_info, password_hash is not null as has_password, status,
    (select role_id from user_role r where r.tenant_id = u.tenant_id and r.user_id = u.id) as role_id,
    (select org_id from user_org o where o.tenant_id = u.tenant_id and o.user_id = u.id) as org_id,
    (select group_concat(store_code, ' ') from
      (select store_code from user_store s where s.tenant_id = u.tenant_id and s.user_id = u.id order by store_code)
    ) as store_codes
  from user u join tenant t on t.id = u.tenant_id where t.name = ? order by username`;

/** Returns the rows of a result file, split at commas. Works only for messages without commas. */
export function readResults(path: string): string[][] {
  const [, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => line.split(','));
}
