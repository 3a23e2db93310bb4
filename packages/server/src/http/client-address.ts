import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyRequest, FastifyServerOptions } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The client's address, if known. */
    clientAddress: string | undefined;
  }
}

/** Addresses in X-Forwarded-For that are read, from its end. No request comes through as many proxies. */
const proxiesMax = 16;

/**
 * Cuts X-Forwarded-For before anything reads it. Each address of a trusted proxy is parsed and compared with the setting,
 * which takes 16 ms for as many as fit into the headers of one request.
 */
export function cutProxyChain(headers: IncomingHttpHeaders): void {
  const chain = headers['x-forwarded-for'];
  if (typeof chain !== 'string') return;
  headers['x-forwarded-for'] = chain.split(',').slice(-proxiesMax).join(',');
}

/**
 * Returns the client's address. A request that names another sender came through a proxy, and only the setting says
 * which name to believe. Without it, such a client's address is unknown.
 *
 * @param trustProxy the setting; '' when it is not set
 */
export function clientAddress(request: FastifyRequest, trustProxy: string): string | undefined {
  if (trustProxy === '') return isForwarded(request.raw) ? undefined : request.ip;
  const address = request.ip;
  // A proxy trusted by mistake may pass on any text.
  return isIP(address) === 0 ? undefined : address;
}

/**
 * Returns the sender of a request that names another one in X-Forwarded-For but is not among the proxies named by address:
 * a proxy that the setting lacks, unless it is a client that lies.
 */
export function unnamedProxy(request: FastifyRequest, trustProxy: string): string | undefined {
  if (request.raw.headers['x-forwarded-for'] === undefined || isHops(trustProxy)) return undefined;
  return request.ips?.length === 1 ? request.ip : undefined;
}

const prefixForm = /^(?:\/[\w.~-]{1,100}){1,8}$/;

/**
 * Returns the prefix of the path that a trusted proxy says it removed. It only helps to explain a wrong signature: the
 * signature covers the path as it arrived.
 */
export function forwardedPrefix(request: FastifyRequest): string | undefined {
  const prefix = request.raw.headers['x-forwarded-prefix'];
  // The list has a second address only if the sender is trusted.
  if (typeof prefix !== 'string' || (request.ips?.length ?? 0) < 2) return undefined;
  const bare = prefix.replace(/\/$/, '');
  return prefixForm.test(bare) ? bare : undefined;
}

export function describeUnnamedProxy(count: number): string {
  const times = count === 1 ? 'a request' : `${count} requests so far`;
  return `${times} with X-Forwarded-For came from an address that --trust-proxy does not name, so the header was ignored; name it if it is a proxy`;
}

/** Returns whether a request names another sender than the other end of its connection. */
export function isForwarded({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
}

/** Returns the setting in the form that Fastify takes. */
export function proxiesToTrust(trustProxy: string): FastifyServerOptions['trustProxy'] & {} {
  if (!isHops(trustProxy)) return trustProxy.split(',');
  const hops = Number(trustProxy);
  return hops > 0 && ((_address, hop) => hop < hops);
}

function isHops(trustProxy: string): boolean {
  return /^\d*$/.test(trustProxy);
}
