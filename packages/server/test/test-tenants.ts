import { issueApplication } from '../src/admin/applications.ts';
import type { SecretVault } from '../src/applications/secret-vault.ts';
import { fillFirstTenant, fillOtherTenant } from './sample-directory.ts';
import type { TestDatabase } from './test-database.ts';

export interface Credentials {
  readonly appId: string;
  readonly appSecret: string;
}

/** The applications that every test server knows. */
export const applications = {
  main: { appId: 'app-main', appSecret: 'the-secret-of-app-main' },
  reader: { appId: 'app-reader', appSecret: 'the-secret-of-app-reader' },
  other: { appId: 'app-other', appSecret: 'the-secret-of-app-other' },
} as const satisfies Record<string, Credentials>;

export const vaultKey = Buffer.alloc(32, 7);

/** Makes two tenants with their sample entries and applications, unless the database has them already. */
export async function provisionTenants(
  { database, db }: TestDatabase,
  vault: SecretVault,
): Promise<{ readonly tenantId: bigint; readonly otherTenantId: bigint }> {
  const { tenants } = database;
  const known = await tenants.findTenant('default');
  const tenant = known ?? (await tenants.insertTenant('default'));
  const other = (await tenants.findTenant('other')) ?? (await tenants.insertTenant('other'));
  const ids = { tenantId: tenant?.id ?? 0n, otherTenantId: other?.id ?? 0n };
  if (known !== undefined) return ids;
  const issue = (tenant: string, scope: 'read' | 'manage', credentials: Credentials) =>
    issueApplication({ database, vault }, { name: credentials.appId, tenant, scope, ...credentials });
  await issue('default', 'manage', applications.main);
  await issue('default', 'read', applications.reader);
  await issue('other', 'manage', applications.other);
  await fillFirstTenant(db, ids.tenantId);
  await fillOtherTenant(db, ids.otherTenantId);
  return ids;
}
