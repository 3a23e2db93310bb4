import { type ReceivedRequest, verifyRequest } from './verify-request.ts';

/** Every right string to sign of a request, or what is wrong with the request itself. */
export type RightStrings =
  | { readonly strings: readonly string[] }
  | { readonly header: string; readonly problem: string }
  | { readonly query: string };

/**
 * Returns every string that a request may have signed: `+` in the query has two readings, and so has an encoded name.
 * Takes them from the verification itself, which always refuses this made-up signature.
 */
export function rightStringsOf(request: Omit<ReceivedRequest, 'authorization'>): RightStrings {
  const options = { findSecrets: () => ['x'], nowSeconds: Number(request.timestamp) };
  const verification = verifyRequest({ ...request, authorization: 'cbs:x:x' }, options);
  switch (verification.outcome) {
    case 'mismatch':
      return { strings: verification.stringsToSign };
    case 'malformed-header':
      return { header: verification.header, problem: verification.problem };
    case 'malformed-query':
      return { query: verification.problem };
    default:
      throw new TypeError(`a request without a signature is ${verification.outcome}`);
  }
}
