/**
 * The parts of an Authorization header, or `problem`, which completes the sentence "the Authorization header
 * …".
 */
export type ParsedAuthorization =
  | { readonly appId: string; readonly signature: string }
  | { readonly problem: string };

const shape = /^cbs:([^:\s]+):([^:\s]+)$/;
const expected = 'expected cbs:<APPID>:<Signature>';

/**
 * Builds the Authorization header's value, `cbs:<APPID>:<Signature>`.
 *
 * @param appId issued by the service's operator; has no colon and no white space
 * @param signature Base64, from `signature`
 */
export function formatAuthorization(appId: string, signature: string): string {
  return `cbs:${appId}:${signature}`;
}

/**
 * Parses an Authorization header: exactly the prefix `cbs`, three non-empty parts and no white space.
 *
 * Does not check that the signature is Base64, because any other text simply does not match.
 *
 * @returns the parts, or a `problem` that quotes nothing of the value, which may contain a credential
 */
export function parseAuthorization(value: string): ParsedAuthorization {
  const parts = shape.exec(value);
  if (parts === null) return { problem: `${explain(value)}; ${expected}` };
  return { appId: parts[1] as string, signature: parts[2] as string };
}

/** Servers join the values of a repeated header with it. */
export const repeatedHeaderSeparator = ', ';

/** Completes the sentence "the … header …", for a header that client code or a middleware added again. */
export function sentTimes(times: number): string {
  return `was sent ${times} times; send it once`;
}

/** Schemes of other interfaces, which clients copy. */
const otherSchemes = ['Bearer', 'Basic', 'Digest', 'HMAC', 'AWS', 'AWS4-HMAC-SHA256'];

/** The form of a signature: 32 bytes in Base64. */
const signatureShape = /^[A-Za-z0-9+/]{43}=$/;

/** Returns whether an APPID is a signature by its form, because the two are in the wrong order. */
export function looksSwapped(appId: string): boolean {
  return signatureShape.test(appId);
}

function explain(value: string): string {
  if (value === '') return 'is empty';
  const values = value.split(repeatedHeaderSeparator);
  if (values.length > 1 && values.some((each) => each.startsWith('cbs:'))) return sentTimes(values.length);
  const scheme = otherSchemes.find((name) => value.toLowerCase().startsWith(`${name.toLowerCase()} `));
  if (scheme !== undefined)
    return `must start with cbs: in lower case, not with the scheme ${scheme} of other interfaces`;
  if (!value.startsWith('cbs:')) return 'must start with cbs: in lower case';
  if (/\s/.test(value)) return 'contains white space';
  const parts = value.split(':');
  if (parts.length !== 3) return `has ${parts.length} parts instead of 3`;
  return parts[1] === '' ? 'has an empty APPID' : 'has an empty signature';
}
