import { hmacSha256Base64, importSecret, importSecretBytes, secretText, sha256Base64 } from '#crypto';
import type { SecretKey } from '../crypto/secret-key.ts';
import type { Mistake } from './mistake.ts';
import { fromAnyBase64, fromHex, toHex } from './text-forms.ts';

/** A mistake in the key, or in how key and text are combined. */
export interface KeyMistake extends Mistake {
  /** The signatures that a client with this mistake may send. */
  readonly signatures: (used: UsedKey) => readonly string[];
}

interface UsedKey {
  readonly key: SecretKey;
  readonly appId: string;
  readonly stringToSign: string;
}

/** Key mistakes. No `cause` repeats any part of the secret. */
export const keyMistakes: readonly KeyMistake[] = [
  {
    name: 'secret-white-space',
    cause:
      'the secret was used with white space, a line feed or a byte order mark around it, or without those that belong to it; trim what is read from a file or the environment',
    signatures: (used) =>
      sign(used, (secret) => [
        `${secret}\n`,
        `${secret}\r\n`,
        `${secret}\r`,
        `${secret} `,
        ` ${secret}`,
        `\ufeff${secret}`,
        secret.trim(),
      ]),
  },
  {
    name: 'secret-quoted',
    cause: 'the secret was used with quotation marks around it; take them off',
    signatures: (used) => sign(used, (secret) => [`"${secret}"`, `'${secret}'`]),
  },
  {
    name: 'secret-decoded',
    cause: 'the secret was decoded from hexadecimal digits or Base64; use the bytes of its text as the key',
    signatures: (used) => sign(used, (secret) => [fromHex(secret), fromAnyBase64(secret)]),
  },
  {
    name: 'secret-case',
    cause: 'the secret was turned into upper or lower case; use it exactly as it was issued',
    signatures: (used) => sign(used, (secret) => [secret.toUpperCase(), secret.toLowerCase()]),
  },
  {
    name: 'secret-extended',
    cause:
      'an "&" or the APPID was added to the secret, as other interfaces want it; use the bytes of its text alone as the key',
    signatures: (used) =>
      sign(used, (secret) => [
        `${secret}&`,
        `AWS4${secret}`,
        `${used.appId}${secret}`,
        `${used.appId}:${secret}`,
        secret + used.appId,
      ]),
  },
  {
    name: 'secret-empty',
    cause: 'the signature was made with an empty secret; check where the secret is read from',
    signatures: (used) => sign(used, () => ['']),
  },
  {
    name: 'secret-is-appid',
    cause: 'the APPID was used as the secret; sign with the APPSECRET',
    signatures: (used) => sign(used, () => [used.appId]),
  },
  {
    name: 'hmac-arguments-swapped',
    cause:
      'key and text are swapped; the APPSECRET is the key of the HMAC and the string to sign its message',
    signatures: ({ key, stringToSign }) => [hmacSha256Base64(importSecret(stringToSign), secretText(key))],
  },
  {
    name: 'double-digest',
    cause: 'a digest of the string to sign was signed; sign the string itself',
    signatures: ({ key, stringToSign }) => {
      const digest = sha256Base64(new TextEncoder().encode(stringToSign));
      const bytes = fromAnyBase64(digest) ?? new Uint8Array();
      return [digest, toHex(bytes), bytes].map((text) => hmacSha256Base64(key, text));
    },
  },
  {
    name: 'plain-sha256',
    cause: 'the signature is a plain SHA-256 of secret and text; use HMAC-SHA256',
    signatures: ({ key, stringToSign }) => {
      const secret = secretText(key);
      const texts = [secret + stringToSign, stringToSign + secret];
      return texts.map((text) => sha256Base64(new TextEncoder().encode(text)));
    },
  },
];

function sign(
  { key, stringToSign }: UsedKey,
  alter: (secret: string) => readonly (string | Uint8Array | undefined)[],
): readonly string[] {
  const secret = secretText(key);
  return alter(secret)
    .filter((altered) => altered !== undefined)
    .filter((altered) => altered !== secret)
    .map((altered) => hmacSha256Base64(toKey(altered), stringToSign));
}

function toKey(secret: string | Uint8Array): SecretKey {
  return typeof secret === 'string' ? importSecret(secret) : importSecretBytes(secret);
}
