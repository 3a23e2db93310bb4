import { isLive, type KnownApplication } from '../../applications/loaded-application.ts';
import { ApiError } from '../../errors/api-error.ts';

/**
 * Throws 1013 for a suspended or expired application. Its caller has proved that it knows the secret, so the message
 * may say which; to everybody else the application looks unknown.
 */
export function requireLiveApplication(application: KnownApplication, nowMs: number): void {
  if (isLive(application, nowMs)) return;
  const { appId, isSuspended, expiresAtMs = 0 } = application;
  throw new ApiError(
    1013,
    isSuspended
      ? `the application ${appId} is suspended; ask the operator to resume it`
      : `the application ${appId} expired at ${new Date(expiresAtMs).toISOString()}; ask the operator to extend it`,
  );
}
