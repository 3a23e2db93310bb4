import { sha256Base64 } from '#crypto';
import { contentMd5 } from '../content-md5.ts';
import { objectsOfForm } from './form-bodies.ts';
import { type RightParts, type StringMistake, signedWith } from './mistake.ts';
import { reserialisedBodies } from './reserialised-bodies.ts';
import { bodiesWithLineBreaks, respacedBodies } from './respaced-bodies.ts';
import { fromUtf8, toHex } from './text-forms.ts';

/** The largest body that is read as text or digested again for a caller whose signature is wrong, in bytes. */
const textBytesMax = 16 * 1024;

/** The Content-MD5 of an empty body. */
export const md5OfNothing = '1B2M2Y8AsgTpgAmY7PhCfg==';

/** Mistakes in the Content-MD5 line. */
export const bodyMistakes: readonly StringMistake[] = [
  {
    name: 'content-md5-hex',
    cause:
      'Content-MD5 was signed as hexadecimal digits; sign the Base64 of the 16 raw bytes of the MD5 digest (24 characters)',
    strings: (right) =>
      hexOf(right.contentMd5).flatMap((hex) => [
        signedWith(right, { contentMd5: hex }),
        signedWith(right, { contentMd5: hex.toUpperCase() }),
      ]),
  },
  {
    name: 'content-md5-base64-of-hex',
    cause:
      'Content-MD5 was signed as the Base64 of hexadecimal digits; encode the 16 raw bytes of the MD5 digest (24 characters)',
    strings: (right) =>
      hexOf(right.contentMd5).flatMap((hex) => [
        signedWith(right, { contentMd5: btoa(hex) }),
        signedWith(right, { contentMd5: btoa(hex.toUpperCase()) }),
      ]),
  },
  {
    name: 'content-md5-line-break',
    cause:
      "Content-MD5 was signed with the line break that some encoders add, such as encode64 in Ruby, encodebytes in Python and Android's Base64.DEFAULT; use strict_encode64, b64encode or NO_WRAP",
    strings: ({ contentMd5, ...right }) =>
      contentMd5 === undefined
        ? []
        : ['\n', '\r\n'].map((end) => signedWith({ ...right, contentMd5: contentMd5 + end })),
  },
  {
    name: 'content-md5-unpadded',
    cause: 'Content-MD5 was signed without the "==" at its end; sign all 24 characters of the Base64',
    strings: ({ contentMd5, ...right }) =>
      contentMd5 === undefined ? [] : [signedWith({ ...right, contentMd5: contentMd5.slice(0, -2) })],
  },
  {
    name: 'content-md5-missing',
    cause:
      'Content-MD5 was left out; it is the second line for every POST and PUT, and for any request with a body',
    strings: (right) =>
      right.contentMd5 === undefined
        ? []
        : [signedWith(right, { contentMd5: undefined }), signedWith(right, { contentMd5: '' })],
  },
  {
    name: 'content-md5-of-nothing',
    cause:
      'Content-MD5 is that of an empty body although a body was sent; compute it over the bytes that are sent',
    strings: (right) => (right.body.length === 0 ? [] : [signedWith(right, { contentMd5: md5OfNothing })]),
  },
  {
    name: 'content-md5-needless',
    cause:
      'a line for Content-MD5 was signed although the request has no body; a GET or DELETE without a body has no such line, not even an empty one',
    strings: (right) =>
      right.contentMd5 === undefined
        ? [signedWith(right, { contentMd5: md5OfNothing }), signedWith(right, { contentMd5: '' })]
        : [],
  },
  {
    name: 'content-sha256',
    cause: 'the SHA-256 digest of the body was signed; sign the Base64 of its MD5 digest (24 characters)',
    *strings(right) {
      if (right.contentMd5 === undefined || right.body.length > textBytesMax) return;
      const digest = sha256Base64(right.body);
      yield signedWith(right, { contentMd5: digest });
      for (const hex of hexOf(digest)) yield signedWith(right, { contentMd5: hex });
    },
  },
  {
    name: 'body-signed',
    cause:
      'the body itself was signed in place of its digest; sign the Base64 of its MD5 digest (24 characters)',
    *strings(right) {
      const text = right.body.length > textBytesMax ? undefined : fromUtf8(right.body);
      if (right.contentMd5 === undefined || text === undefined) return;
      yield signedWith(right, { contentMd5: text });
      yield `${signedWith(right, { contentMd5: undefined })}\n${text}`;
    },
  },
  {
    name: 'body-not-sent',
    cause: 'Content-MD5 is that of {} or null although no body was sent; send the bytes that are signed',
    strings: (right) =>
      right.body.length > 0
        ? []
        : ['{}', 'null'].map((text) =>
            signedWith(right, { contentMd5: contentMd5(new TextEncoder().encode(text)) }),
          ),
  },
  {
    name: 'body-byte-order-mark',
    cause:
      'the body was sent with a byte order mark (EF BB BF) at its start and signed without it, or the other way round; send the body without one, and sign those bytes',
    *strings(right) {
      if (right.contentMd5 === undefined || right.body.length > textBytesMax) return;
      yield signedWith(right, { contentMd5: contentMd5(otherStart(right.body)) });
    },
  },
  {
    name: 'body-compressed',
    cause:
      'the body was compressed after it was signed; send it as it is, without Content-Encoding, and sign those bytes',
    *strings(right) {
      const body = right.contentMd5 === undefined ? undefined : right.uncompressedBody();
      if (body !== undefined) yield signedWith(right, { contentMd5: contentMd5(body) });
    },
  },
  {
    name: 'body-sent-as-form',
    cause:
      'Content-MD5 is that of a JSON object, and the body was sent as a form (a=1&b=2); send the JSON itself, as application/json',
    strings: (right) => signedBodies(right, objectsOfForm),
  },
  {
    name: 'body-line-breaks',
    cause:
      'the body was signed with line breaks that did not arrive; curl removes them from a file that --data or -d names, and sends it unchanged with --data-binary',
    strings: (right) => signedBodies(right, bodiesWithLineBreaks),
  },
  {
    name: 'body-line-feed',
    cause:
      "the body was signed with a line feed at its end and sent without it, or the other way round; sign the bytes that are sent (in a shell, echo adds a line feed and printf '%s' does not; curl sends a file unchanged with --data-binary)",
    *strings(right) {
      if (right.contentMd5 === undefined || right.body.length > textBytesMax) return;
      for (const body of otherLineEnds(right.body)) yield signedWith(right, { contentMd5: contentMd5(body) });
    },
  },
  {
    name: 'body-reserialised',
    cause:
      'Content-MD5 is that of the same JSON written differently (white space, order of keys or escapes); serialize once, sign those bytes and send the same',
    strings: (right) => signedBodies(right, right.mayParseBody ? reserialisedBodies : respacedBodies),
  },
];

/** Yields the texts with the digest of each other form of the body. */
function* signedBodies(
  right: RightParts,
  otherForms: (body: Uint8Array) => Iterable<string>,
): Generator<string> {
  if (right.contentMd5 === undefined) return;
  for (const body of otherForms(right.body))
    yield signedWith(right, { contentMd5: contentMd5(new TextEncoder().encode(body)) });
}

const byteOrderMark = [0xef, 0xbb, 0xbf];

/** Returns the body without the byte order mark at its start if it has one, or else with one. */
function otherStart(body: Uint8Array): Uint8Array {
  const isMarked = byteOrderMark.every((byte, index) => body[index] === byte);
  return isMarked ? body.subarray(byteOrderMark.length) : Uint8Array.from([...byteOrderMark, ...body]);
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Returns the body without the line feed at its end if it has one, or else with one. */
function otherLineEnds(body: Uint8Array): readonly Uint8Array[] {
  if (body.at(-1) !== lineFeed) {
    return [append(body, [lineFeed]), append(body, [carriageReturn, lineFeed])];
  }
  return [body.subarray(0, body.at(-2) === carriageReturn ? -2 : -1)];
}

function append(body: Uint8Array, bytes: readonly number[]): Uint8Array {
  const longer = new Uint8Array(body.length + bytes.length);
  longer.set(body);
  longer.set(bytes, body.length);
  return longer;
}

function hexOf(digest: string | undefined): readonly string[] {
  return digest === undefined ? [] : [toHex(Uint8Array.from(atob(digest), (byte) => byte.charCodeAt(0)))];
}
