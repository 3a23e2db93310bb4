import type { QueryFault } from './canonical-resource.ts';
import { nonceCharactersMaxDefault } from './nonce.ts';
import { type HeaderFault, nonceFault, timestampFault } from './read-signing-headers.ts';
import { type ReceivedRequest, verifyRequest } from './verify-request.ts';

/**
 * Every string that a request may have signed, or what is wrong with the request itself: `problem` completes the sentence "the
 * `header` header …", and `query` is a sentence about the query. `fault` is the same as data; it is `undefined` if the
 * problem has only its text.
 */
export type ExpectedStrings =
  | { readonly strings: readonly string[] }
  | { readonly header: string; readonly problem: string; readonly fault: RequestFault | undefined }
  | { readonly query: string; readonly fault: RequestFault };

/** A fault of a request, as data, for programs that say it in another language. */
export type RequestFault = QueryFault | (HeaderFault & { readonly header: 'Timestamp' | 'Nonce' });

/**
 * Returns every string that a request may have signed: `+` in the query has two readings, and so has an encoded name.
 * Takes them from the verification itself, which always refuses this made-up signature.
 */
export function expectedStringsToSign(request: Omit<ReceivedRequest, 'authorization'>): ExpectedStrings {
  const options = { findSecrets: () => ['x'], nowSeconds: Number(request.timestamp) };
  const verification = verifyRequest({ ...request, authorization: 'cbs:x:x' }, options);
  switch (verification.outcome) {
    case 'mismatch':
      return { strings: verification.stringsToSign };
    case 'malformed-header':
      return { header: verification.header, problem: verification.problem, fault: headerFaultOf(request) };
    case 'malformed-query':
      return { query: verification.problem, fault: verification.fault };
    default:
      throw new TypeError(`a request without a signature is ${verification.outcome}`);
  }
}

function headerFaultOf({
  timestamp,
  nonce,
}: Pick<ReceivedRequest, 'timestamp' | 'nonce'>): RequestFault | undefined {
  const ofTimestamp = timestampFault(timestamp);
  if (ofTimestamp !== undefined) return { header: 'Timestamp', ...ofTimestamp };
  const ofNonce = nonceFault(nonce, nonceCharactersMaxDefault);
  return ofNonce && { header: 'Nonce', ...ofNonce };
}
