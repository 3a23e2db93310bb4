import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { MalformedQueryError, type SignedRequest, signRequest } from '@fieldroster/signing';
import { UsageError } from '../run-program.ts';
import type { CallTarget } from './credentials.ts';
import { serverFault, unreachable } from './server-fault.ts';
import { splitUrl } from './split-url.ts';

export interface Call {
  readonly method: string;
  /** Path and query as sent, without the base path of the URL. */
  readonly path: string;
  readonly body?: Uint8Array;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** Where a redirect leads. */
  readonly location?: string | undefined;
}

const timeoutMs = 30_000;

/**
 * Sends a signed request byte for byte as it was signed. `fetch` would normalise the path and sends no body
 * with GET.
 *
 * @param onSigned receives the stages of the signature before the request is sent
 */
export async function sendSigned(
  target: CallTarget,
  call: Call,
  onSigned?: (signed: SignedRequest) => void,
): Promise<Answer> {
  const { origin, basePath } = splitUrl(target);
  const path = basePath + call.path;
  const signed = sign(target, { ...call, path });
  onSigned?.(signed);
  const options: RequestOptions = {
    method: call.method,
    path,
    agent: false,
    headers: { ...signed.headers, ...(call.body && contentHeaders(call.body)) },
    signal: AbortSignal.timeout(timeoutMs),
  };
  try {
    return await exchange(origin, options, call.body);
  } catch (error) {
    throw new Error(serverFault(target.url, explain(error as NodeJS.ErrnoException)), { cause: error });
  }
}

function sign({ appId, appSecret }: CallTarget, { method, path, body }: Call) {
  try {
    return signRequest({ appId, appSecret, method, target: path, body });
  } catch (error) {
    if (error instanceof MalformedQueryError || error instanceof TypeError)
      throw new UsageError(error.message);
    throw error;
  }
}

function contentHeaders(body: Uint8Array): Record<string, string> {
  return { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
}

function exchange(origin: URL, options: RequestOptions, body: Uint8Array | undefined): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const send = origin.protocol === 'https:' ? requestHttps : requestHttp;
  const sent = send(origin, options, (response) => readAnswer(response).then(resolve, reject));
  sent.on('error', reject).end(body);
  return promise;
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const { statusCode = 0, headers } = response;
  return { status: statusCode, text: await text(response), location: headers.location };
}

const refusedCertificate = 'the certificate of the server was refused: ';
const unknownAuthority = `${refusedCertificate}its authority is not known here; name the file with the authority’s certificate in NODE_EXTRA_CA_CERTS`;

/** Uses the client's wording, so that every command reports a fault the same way; a test compares them. */
export const faults: Readonly<Record<string, string>> = {
  ECONNREFUSED: `${unreachable}nothing listens there`,
  ENOTFOUND: `${unreachable}there is no such host`,
  EAI_AGAIN: `${unreachable}the name of the host cannot be looked up at the moment`,
  ECONNRESET: 'the connection broke before the answer was complete',
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  CERT_HAS_EXPIRED: `${refusedCertificate}it has expired`,
  CERT_NOT_YET_VALID: `${refusedCertificate}it is not valid yet; compare the clock of this machine`,
  CERT_REVOKED: `${refusedCertificate}it was revoked`,
  ERR_TLS_CERT_ALTNAME_INVALID: `${refusedCertificate}it was issued for a host other than the one in the URL`,
};

function explain({ code = '', name, message }: NodeJS.ErrnoException): string {
  if (name === 'TimeoutError' || name === 'AbortError') return `no answer came within ${timeoutMs} ms`;
  if (code === 'EPROTO' && message.includes('wrong version number')) {
    return 'the server speaks http, not https; give its URL with http://';
  }
  return faults[code] ?? `${unreachable}${message || code}`;
}
