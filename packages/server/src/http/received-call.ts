import type { IncomingMessage } from 'node:http';
import type { Operation, OperationKey } from '@fieldroster/contract';
import type { Call } from '../pipeline/call.ts';
import { forwardedPrefix } from './client-address.ts';
import { disconnectSignal } from './disconnect-signal.ts';
import { originForm } from './parsing/origin-form.ts';
import type { Received } from './receive.ts';

/** Returns the call that a request makes, for the pipeline. */
export function receivedCall(
  key: OperationKey,
  operation: Operation,
  { request, reply, body }: Received,
): Call {
  const { headers, url } = request.raw;
  return {
    key,
    operation,
    requestId: request.id,
    method: operation.method,
    target: originForm(url ?? ''),
    host: headers.host,
    forwardedPrefix: () => forwardedPrefix(request),
    address: request.clientAddress,
    authorization: decodeHeader(headers.authorization),
    timestamp: decodeHeader(headers.timestamp),
    nonce: decodeHeader(headers.nonce),
    contentType: request.receivedContentType,
    contentEncoding: headers['content-encoding'],
    disconnectSignal: disconnectSignal(reply.raw),
    repeatedHeader: findRepeatedHeader(request.raw),
    ...(body !== undefined && { incoming: body }),
    earlierAnswered: request.raw.earlierAnswered,
  };
}

const signingHeaders = [
  { name: 'Authorization', key: 'authorization' },
  { name: 'Timestamp', key: 'timestamp' },
  { name: 'Nonce', key: 'nonce' },
] as const;

/**
 * Returns the first header of the signature that has several lines, which Node.js joins with a comma: two nonces would
 * pass for one that contains it.
 */
function findRepeatedHeader({ headers, rawHeaders }: IncomingMessage): Call['repeatedHeader'] {
  for (const { name, key } of signingHeaders) {
    // Without a comma there is nothing to count, as in almost every request.
    const value = headers[key];
    if (typeof value === 'string' && !value.includes(',')) continue;
    const times = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === key).length;
    if (times > 1) return { name, times };
  }
  return undefined;
}

const beyondAscii = /[\u0080-\u00ff]/;

/** Decodes a header as UTF-8, as clients sign it; Node.js decodes it as Latin-1. */
function decodeHeader(value: string | string[] | undefined): string | undefined {
  if (value === undefined) return undefined;
  const latin1 = String(value);
  return beyondAscii.test(latin1) ? Buffer.from(latin1, 'latin1').toString('utf8') : latin1;
}
