import { contentMd5 } from '../content-md5.ts';
import { charsets } from './charsets.ts';
import { type Mistake, type RightParts, signedWith } from './mistake.ts';
import { fromUtf8 } from './text-forms.ts';

/** A right text, or one with a wrong Content-MD5, in bytes that are not UTF-8. */
export interface TextInCharset {
  readonly mistake: Mistake;
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** The largest body that is encoded again to explain a wrong signature, in bytes. */
const bodyBytesMax = 16 * 1024;

const beyondAscii = /[^\0-\x7f]/;

/**
 * Yields the texts of clients that encode in a charset other than UTF-8, as old Java and C#'s `Encoding.Unicode` do.
 */
export function* textsInCharsets(
  right: RightParts,
  stringsToSign: readonly string[],
): Generator<TextInCharset> {
  for (const { name, encode, changesAscii } of charsets) {
    for (const text of stringsToSign) {
      if (changesAscii || beyondAscii.test(text))
        yield { mistake: stringIn(name), text, bytes: encode(text) };
    }
  }
  if (right.contentMd5 === undefined || right.body.length > bodyBytesMax) return;
  const body = fromUtf8(right.body);
  if (body === undefined || body.includes('\0')) return yield* bodiesSentInCharsets(right);
  const isAscii = !beyondAscii.test(body);
  for (const { name, encode, changesAscii } of charsets) {
    if (isAscii && !changesAscii) continue;
    const text = signedWith(right, { contentMd5: contentMd5(encode(body)) });
    yield { mistake: bodyIn(name), text, bytes: encode(text) };
    if (changesAscii) yield { mistake: bodyIn(name), text, bytes: new TextEncoder().encode(text) };
  }
}

/** Yields the texts of clients that sign the body in UTF-8 and send it in their platform's charset. */
function* bodiesSentInCharsets(right: RightParts): Generator<TextInCharset> {
  for (const { name, label } of sentCharsets) {
    const body = decode(right.body, label);
    if (body === undefined) continue;
    const text = signedWith(right, { contentMd5: contentMd5(new TextEncoder().encode(body)) });
    yield { mistake: bodySentIn(name), text, bytes: new TextEncoder().encode(text) };
  }
}

/** The charsets that a body may be in, as the decoders of the platform name them. */
const sentCharsets = [
  { name: 'GBK or GB18030', label: 'gb18030' },
  { name: 'windows-1252 or ISO-8859-1 (Latin-1)', label: 'windows-1252' },
  { name: 'Big5', label: 'big5' },
  { name: 'Shift_JIS', label: 'shift_jis' },
  { name: 'UTF-16 (little-endian)', label: 'utf-16le' },
  { name: 'UTF-16 (big-endian)', label: 'utf-16be' },
] as const;

/** Every mistake in the charset. */
export const charsetMistakes: readonly Mistake[] = [
  ...charsets.flatMap(({ name }) => [stringIn(name), bodyIn(name)]),
  ...sentCharsets.map(({ name }) => bodySentIn(name)),
];

function decode(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function bodySentIn(charset: string): Mistake {
  return {
    name: 'body-sent-in-charset',
    cause: `the body was sent in ${charset}, and Content-MD5 is that of its UTF-8; send the UTF-8 bytes that you sign`,
  };
}

function stringIn(charset: string): Mistake {
  return {
    name: 'string-charset',
    cause: `the string to sign was encoded in ${charset}; encode it in UTF-8, in Java with getBytes(StandardCharsets.UTF_8), in C# with Encoding.UTF8`,
  };
}

function bodyIn(charset: string): Mistake {
  return {
    name: 'body-charset',
    cause: `Content-MD5 is that of the body in ${charset}, and the body was sent in UTF-8; encode it in UTF-8 once, and sign and send those bytes`,
  };
}
