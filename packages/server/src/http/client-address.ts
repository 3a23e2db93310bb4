import { isIP } from 'node:net';
import type { FastifyRequest, FastifyServerOptions } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The client's address, if known. */
    clientAddress: string | undefined;
  }
}

/**
 * Returns the client's address. A request that names another sender came through a proxy, and only the setting says
 * which name to believe. Without it, such a client's address is unknown.
 *
 * @param trustProxy the setting; '' when it is not set
 */
export function clientAddress(request: FastifyRequest, trustProxy: string): string | undefined {
  if (trustProxy === '' && isForwarded(request)) return undefined;
  const address = request.ip;
  // A proxy trusted by mistake may pass on any text.
  return isIP(address) === 0 ? undefined : address;
}

function isForwarded({ raw: { headers } }: FastifyRequest): boolean {
  return headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
}

/** Returns the setting in the form that Fastify takes. */
export function proxiesToTrust(trustProxy: string): FastifyServerOptions['trustProxy'] & {} {
  if (!/^\d*$/.test(trustProxy)) return trustProxy.split(',');
  const hops = Number(trustProxy);
  return hops > 0 && ((_address, hop) => hop < hops);
}
