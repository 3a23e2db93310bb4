import { md5Base64 } from '#crypto';

/**
 * Computes the Content-MD5 part of the string to sign.
 *
 * @param body the bytes exactly as sent, never a body parsed and serialized again
 * @returns Base64 (24 characters) of the raw 16-byte MD5 digest, not of its hexadecimal form
 */
export function contentMd5(body: Uint8Array): string {
  return md5Base64(body);
}

/**
 * Returns whether Content-MD5 is part of the string to sign: always for POST and PUT, even with an empty body,
 * and for any other method only when it carries a body.
 *
 * @param method the HTTP method, in any case
 * @param bodyLength bytes in the body
 */
export function contentMd5Participates(method: string, bodyLength: number): boolean {
  if (bodyLength > 0) return true;
  const upperCase = method.toUpperCase();
  return upperCase === 'POST' || upperCase === 'PUT';
}
