/** The parts of an Authorization header, or `problem`: what is wrong with it, after "the Authorization header …". */
export type ParsedAuthorization =
  | { readonly appId: string; readonly signature: string }
  | { readonly problem: string };

const shape = /^cbs:([^:\s]+):([^:\s]+)$/;
const expected = 'expected cbs:<APPID>:<Signature>';

/**
 * Builds the Authorization header's value, `cbs:<APPID>:<Signature>`.
 *
 * @param appId issued by the service's operator; holds no colon and no white space
 * @param signature Base64, from `signature`
 */
export function formatAuthorization(appId: string, signature: string): string {
  return `cbs:${appId}:${signature}`;
}

/**
 * Reads an Authorization header: the prefix `cbs` exactly, three non-empty parts, no white space.
 *
 * Whether the signature is Base64 at all is not looked at: any other text is a signature that does not match.
 *
 * @returns the parts, or a `problem` that repeats nothing of the value, as a value may hold a credential
 */
export function parseAuthorization(value: string): ParsedAuthorization {
  const parts = shape.exec(value);
  if (parts === null) return { problem: `${explain(value)}; ${expected}` };
  return { appId: parts[1] as string, signature: parts[2] as string };
}

function explain(value: string): string {
  if (value === '') return 'is empty';
  if (!value.startsWith('cbs:')) return 'must start with cbs: in lower case';
  if (/\s/.test(value)) return 'contains white space';
  const parts = value.split(':');
  if (parts.length !== 3) return `has ${parts.length} parts instead of 3`;
  return parts[1] === '' ? 'has an empty APPID' : 'has an empty signature';
}
