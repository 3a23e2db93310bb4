/** Stands in a string to sign for the digest of a body, from which a short password could be guessed. */
export const withheldDigest = '(withheld: the body may hold a password)';

/** Returns whether a string to sign lacks values that are not recorded, and so cannot equal the string that was signed. */
export function lacksValues(stringToSign: string): boolean {
  return stringToSign.includes('…') || stringToSign.includes(withheldDigest);
}
