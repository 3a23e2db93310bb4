import type { KnownApplication } from '../../applications/loaded-application.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Call } from '../call.ts';

/**
 * Throws 1016 when the application may not call from the client's address. Checked after the signature, so that nobody
 * without the secret learns that there is a list.
 */
export function requireAllowedAddress(
  { address }: Pick<Call, 'address'>,
  { appId, allowedAddresses }: KnownApplication,
): void {
  if (allowedAddresses === undefined) return;
  if (address === undefined) {
    throw new ApiError(
      1016,
      `the application ${appId} may only call from certain addresses, and the address of this client is unknown; ` +
        'ask the operator to name the proxies in front of the server with --trust-proxy',
    );
  }
  if (allowedAddresses.includes(address)) return;
  throw new ApiError(
    1016,
    `the application ${appId} may not call from the address ${address}; ask the operator to allow it`,
  );
}
