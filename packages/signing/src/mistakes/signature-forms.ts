import type { Mistake } from './mistake.ts';
import { fromAnyBase64, fromHex, fromUtf8 } from './text-forms.ts';

const digestBytes = 32;

interface FormMistake extends Mistake {
  readonly matches: (signature: string) => boolean;
  /** Returns the bytes that should have been sent in Base64, if the form reveals them. */
  readonly digest?: (signature: string) => Uint8Array | undefined;
}

/** A mistake in the form of a signature. */
export interface FoundForm {
  readonly mistake: Mistake;
  /** The signature in its right form, if that can be determined. */
  readonly signature: string | undefined;
}

export const formMistakes: readonly FormMistake[] = [
  {
    name: 'signature-hex',
    cause:
      'the signature is written as hexadecimal digits; send the Base64 of the 32 raw bytes of the digest (44 characters)',
    matches: (text) => fromHex(text)?.length === digestBytes,
    digest: fromHex,
  },
  {
    name: 'signature-base64-of-hex',
    cause:
      'the signature is the Base64 of hexadecimal digits; encode the 32 raw bytes of the digest (44 characters)',
    matches: (text) => fromHex(encodedText(text))?.length === digestBytes,
    digest: (text) => fromHex(encodedText(text)),
  },
  {
    name: 'signature-base64-twice',
    cause:
      'the signature was encoded in Base64 twice; encode the 32 raw bytes of the digest once (44 characters)',
    matches: (text) => fromAnyBase64(encodedText(text))?.length === digestBytes,
    digest: (text) => fromAnyBase64(encodedText(text)),
  },
  {
    name: 'signature-url-encoded',
    cause: 'the signature is URL-encoded; put the Base64 into the header as it is',
    matches: (text) => /%(?:2B|2F|3D)/i.test(text),
    digest: (text) =>
      fromAnyBase64(text.replaceAll(/%(?:2B|2F|3D)/gi, (encoded) => decodeURIComponent(encoded))),
  },
  {
    name: 'signature-base64url',
    cause:
      'the signature is in the URL alphabet of Base64, or without its "="; use the standard one with "+", "/" and "=" (44 characters)',
    matches: (text) =>
      fromAnyBase64(text)?.length === digestBytes && (/[-_]/.test(text) || !text.endsWith('=')),
    digest: fromAnyBase64,
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

function encodedText(text: string): string {
  return fromUtf8(fromAnyBase64(text) ?? empty) ?? '';
}

/** Finds a mistake that the form of the signature alone reveals. */
export function findFormMistake(signature: string): FoundForm | undefined {
  const form = formMistakes.find(({ matches }) => matches(signature));
  if (form === undefined) return undefined;
  const digest = form.digest?.(signature);
  const right = digest?.length === digestBytes ? toBase64(digest) : undefined;
  return { mistake: { name: form.name, cause: form.cause }, signature: right };
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
