import { isIP } from 'node:net';
import type { FastifyRequest, FastifyServerOptions } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The client's address, where it is known. */
    clientAddress: string | undefined;
  }
}

/**
 * The client's address. A request that names another sender came through a proxy; which of the names to believe,
 * only the setting can tell. Without it the address of such a client is not known.
 *
 * @param trustProxy the setting; '' when it was not made
 */
export function clientAddress(request: FastifyRequest, trustProxy: string): string | undefined {
  if (trustProxy === '' && isForwarded(request)) return undefined;
  const address = request.ip;
  // What a proxy that is trusted by mistake passes on may be any text.
  return trustProxy === '' || isIP(address) !== 0 ? address : undefined;
}

function isForwarded({ raw: { headers } }: FastifyRequest): boolean {
  return headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
}

/** The setting as Fastify takes it. */
export function proxiesToTrust(trustProxy: string): FastifyServerOptions['trustProxy'] & {} {
  if (!/^\d*$/.test(trustProxy)) return trustProxy.split(',');
  const hops = Number(trustProxy);
  return hops > 0 && ((_address, hop) => hop < hops);
}
