import type { Mistake } from './mistake.ts';
import { fromAnyBase64, fromHex, fromUtf8 } from './text-forms.ts';

const digestBytes = 32;

interface FormMistake extends Mistake {
  readonly matches: (signature: string) => boolean;
}

const forms: readonly FormMistake[] = [
  {
    name: 'signature-hex',
    cause:
      'the signature is written as hexadecimal digits; send the Base64 of the 32 raw bytes of the digest (44 characters)',
    matches: (text) => fromHex(text)?.length === digestBytes,
  },
  {
    name: 'signature-base64-of-hex',
    cause:
      'the signature is the Base64 of hexadecimal digits; encode the 32 raw bytes of the digest (44 characters)',
    matches: (text) => fromHex(fromUtf8(fromAnyBase64(text) ?? empty) ?? '')?.length === digestBytes,
  },
  {
    name: 'signature-url-encoded',
    cause: 'the signature is URL-encoded; put the Base64 into the header as it is',
    matches: (text) => /%(?:2B|2F|3D)/i.test(text),
  },
  {
    name: 'signature-base64url',
    cause:
      'the signature is in the URL alphabet of Base64, or without its "="; use the standard one with "+", "/" and "=" (44 characters)',
    matches: (text) =>
      fromAnyBase64(text)?.length === digestBytes && (/[-_]/.test(text) || !text.endsWith('=')),
  },
  {
    name: 'signature-digest',
    cause: 'the signature is not a SHA-256 digest by its length; use HMAC-SHA256, which gives 32 bytes',
    matches: (text) =>
      otherDigests.has(text.endsWith('=') ? (fromAnyBase64(text)?.length ?? 0) : hexLength(text)),
  },
];

const empty = new Uint8Array();

/** Digest lengths in bytes: MD5, SHA-1, SHA-384 and SHA-512. */
const otherDigests: ReadonlySet<number> = new Set([16, 20, 48, 64]);

function hexLength(text: string): number {
  return fromHex(text)?.length ?? 0;
}

/** Finds a mistake that the form of the signature alone reveals. */
export function findFormMistake(signature: string): Mistake | undefined {
  const found = forms.find(({ matches }) => matches(signature));
  return found && { name: found.name, cause: found.cause };
}
