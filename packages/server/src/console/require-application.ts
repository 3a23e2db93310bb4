import type { ApplicationRecord } from '../database/database.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { TenantContext } from './console-context.ts';

/** Refuses an application of another tenant as one that does not exist, and by default a revoked one. */
export async function requireApplication(
  appId: string,
  context: ApplicationContext,
  which?: 'revoked too',
): Promise<ApplicationRecord> {
  const { parts, tenantId } = context;
  const application = await parts.database.applications.findApplication(appId);
  const isThere = application !== undefined && application.tenantId === tenantId;
  if (isThere && (application.status !== 'revoked' || which === 'revoked too')) return application;
  throw noApplication(appId, context, which);
}

export function noApplication(
  appId: string,
  { refuse }: Pick<ApplicationContext, 'refuse'>,
  which?: 'revoked too',
): ApiError {
  const sought = `${JSON.stringify(appId)}${which === undefined ? ' that is not revoked' : ''}`;
  return refuse(1610, `the tenant has no application ${sought}`);
}

interface ApplicationContext extends Pick<TenantContext, 'parts' | 'tenantId'> {
  readonly refuse: (code: 1610, message: string) => ApiError;
}
