import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { answerBytesMaxDefault, connectionFault, OversizedAnswerError, readText } from '@fieldroster/client';
import { MalformedQueryError, type SignedRequest, signRequest } from '@fieldroster/signing';
import { UsageError } from '../run-program.ts';
import type { CallTarget } from './credentials.ts';
import { serverFault } from './server-fault.ts';
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

interface SendOptions {
  /** Receives the stages of the signature before the request is sent. */
  readonly onSigned?: ((signed: SignedRequest) => void) | undefined;
  readonly answerBytesMax?: number;
}

const timeoutMs = 30_000;

/**
 * Sends a signed request byte for byte as it was signed. `fetch` would normalise the path and sends no body
 * with GET.
 */
export async function sendSigned(
  target: CallTarget,
  call: Call,
  { onSigned, answerBytesMax = answerBytesMaxDefault }: SendOptions = {},
): Promise<Answer> {
  const { origin, basePath } = splitUrl(target);
  const path = basePath + call.path;
  const signed = sign(target, { ...call, path });
  onSigned?.(signed);
  const signal = AbortSignal.timeout(timeoutMs);
  const options: RequestOptions = {
    method: call.method,
    path,
    agent: false,
    headers: { ...signed.headers, ...(call.body && contentHeaders(call.body)) },
    signal,
  };
  try {
    return await readAnswer(await exchange(origin, options, call.body), answerBytesMax);
  } catch (error) {
    if (error instanceof OversizedAnswerError)
      throw new Error(`${target.url}: ${error.message}`, { cause: error });
    const fault = connectionFault(signal.aborted ? signal.reason : error, timeoutMs);
    throw new Error(serverFault(target.url, fault), { cause: error });
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

function exchange(
  origin: URL,
  options: RequestOptions,
  body: Uint8Array | undefined,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const send = origin.protocol === 'https:' ? requestHttps : requestHttp;
  const sent = send(origin, options, resolve);
  sent.on('error', reject).end(body);
  return promise;
}

async function readAnswer(response: IncomingMessage, bytesMax: number): Promise<Answer> {
  const { statusCode = 0, headers } = response;
  const text = await readText(Readable.toWeb(response), bytesMax);
  return { status: statusCode, text, location: headers.location };
}
