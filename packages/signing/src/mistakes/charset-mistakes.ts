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

/** Yields what clients sign whose platform encodes text in another charset than UTF-8, as old Java does. */
export function* textsInCharsets(
  right: RightParts,
  rightStrings: readonly string[],
): Generator<TextInCharset> {
  for (const { name, encode } of charsets) {
    for (const text of rightStrings) {
      if (beyondAscii.test(text)) yield { mistake: stringIn(name), text, bytes: encode(text) };
    }
  }
  const body =
    right.contentMd5 === undefined || right.body.length > bodyBytesMax ? undefined : fromUtf8(right.body);
  if (body === undefined || !beyondAscii.test(body)) return;
  for (const { name, encode } of charsets) {
    const text = signedWith(right, { contentMd5: contentMd5(encode(body)) });
    yield { mistake: bodyIn(name), text, bytes: encode(text) };
  }
}

function stringIn(charset: string): Mistake {
  return {
    name: 'string-charset',
    cause: `the string to sign was encoded in ${charset}; encode it in UTF-8, in Java with getBytes(StandardCharsets.UTF_8)`,
  };
}

function bodyIn(charset: string): Mistake {
  return {
    name: 'body-charset',
    cause: `Content-MD5 is that of the body in ${charset}, and the body was sent in UTF-8; encode it in UTF-8 once, and sign and send those bytes`,
  };
}
