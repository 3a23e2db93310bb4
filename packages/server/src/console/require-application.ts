import type { ApiError } from '../errors/api-error.ts';
import type { TenantContext } from './console-context.ts';

/**
 * Refuses an application of another tenant as one that does not exist. A change refuses a revoked one later, in its
 * transaction, whose claim tells the repetition of a change that was made before the application was revoked.
 */
export async function requireApplication(appId: string, context: ApplicationContext): Promise<void> {
  const { parts, tenantId, refuse } = context;
  const application = await parts.database.applications.findApplication(appId);
  if (application?.tenantId !== tenantId) throw refuse(1610, noApplication(appId));
}

/** Returns the refusal of a change of an application that is revoked. */
export function applicationRevoked(appId: string, { refuse }: Pick<ApplicationContext, 'refuse'>): ApiError {
  return refuse(1610, `${noApplication(appId)} that is not revoked`);
}

function noApplication(appId: string): string {
  return `the tenant has no application ${JSON.stringify(appId)}`;
}

interface ApplicationContext extends Pick<TenantContext, 'parts' | 'tenantId'> {
  readonly refuse: (code: 1610, message: string) => ApiError;
}
