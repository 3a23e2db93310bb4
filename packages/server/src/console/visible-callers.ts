import type { ApplicationRecord, FailureCallers } from '../database/database.ts';
import { otherCalls, unknownApplication } from '../database/database.ts';
import type { TenantContext } from './console-context.ts';

/** The callers that an operator sees in a tenant. */
export interface VisibleCallers {
  /** The tenant's applications. */
  readonly applications: readonly ApplicationRecord[];
  /** APPIDs in the summaries of calls. */
  readonly summaryAppIds: readonly string[];
  /** Callers in the records of failed calls. */
  readonly failures: FailureCallers;
}

/**
 * Returns the tenant's applications. Callers whose APPID no application has belong to no tenant, so only an operator
 * of all tenants sees them.
 */
export async function visibleCallers({
  parts,
  tenantId,
  signedIn,
}: Pick<TenantContext, 'parts' | 'tenantId' | 'signedIn'>): Promise<VisibleCallers> {
  const all = await parts.database.applications.listApplications();
  const applications = all.filter((application) => application.tenantId === tenantId);
  const appIds = applications.map(({ appId }) => appId);
  if (!signedIn.operator.allTenants) {
    return { applications, summaryAppIds: appIds, failures: { appIds } };
  }
  return {
    applications,
    summaryAppIds: [...appIds, unknownApplication, otherCalls],
    failures: { appIds, knownAppIds: all.map(({ appId }) => appId) },
  };
}
