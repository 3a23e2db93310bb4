import { contentMd5Participates, parseQuery, signRequest, splitTarget } from '@fieldroster/signing';
import type { SignedParts } from '../signed-parts.ts';

/** A request as typed into the worked example. */
export interface ExampleRequest {
  readonly method: string;
  readonly target: string;
  readonly body: string;
  readonly appId: string;
  readonly appSecret: string;
  readonly timestamp: string;
  readonly nonce: string;
}

/** Every stage of a signature, as text to read. */
export interface SigningStages {
  /** A sentence about the body. */
  readonly body: string;
  /** The parameters in the order in which they are signed. */
  readonly parameters: readonly { readonly sent: string; readonly name: string; readonly value: string }[];
  readonly parts: SignedParts;
  readonly signature: string;
  /** The three headers as lines. */
  readonly headers: string;
}

/** Computes every stage. Throws `TypeError` or `MalformedQueryError`, whose message says what cannot be signed. */
export function signingStages(request: ExampleRequest): SigningStages {
  const { method, target, body, timestamp, nonce } = request;
  if (!/^\d{1,16}$/.test(timestamp)) {
    throw new TypeError('Timestamp must be whole seconds since 1970-01-01 UTC, in digits');
  }
  const signed = signRequest({ ...request, nonce, timestampSeconds: Number(timestamp) });
  const { headers, contentMd5, canonicalResource } = signed;
  return {
    body: aboutBody(method, new TextEncoder().encode(body).length),
    parameters: parametersOf(target),
    parts: { method: method.toUpperCase(), contentMd5, canonicalResource, ...headers },
    signature: headers.Authorization.slice(headers.Authorization.lastIndexOf(':') + 1),
    headers: Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
  };
}

function aboutBody(method: string, bytes: number): string {
  if (!contentMd5Participates(method, bytes)) {
    return `A ${method.toUpperCase()} without a body has no Content-MD5: the line is left out, not left empty.`;
  }
  const size =
    bytes === 0 ? 'no bytes, but still has a Content-MD5' : `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  return `The body has ${size}. Base64 of the 16 raw bytes of its MD5:`;
}

function parametersOf(target: string): SigningStages['parameters'] {
  const pieces = splitTarget(target).query.split('&').filter(Boolean);
  return pieces
    .flatMap((sent) => parseQuery(sent, 'space').map((parameter) => ({ sent, ...parameter })))
    .sort((a, b) => (a.name === b.name ? 0 : a.name < b.name ? -1 : 1));
}
