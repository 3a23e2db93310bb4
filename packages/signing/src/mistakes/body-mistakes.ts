import { contentMd5 } from '../content-md5.ts';
import { type StringMistake, signedWith } from './mistake.ts';
import { reserialisedBodies } from './reserialised-bodies.ts';
import { toHex } from './text-forms.ts';

const md5OfNothing = '1B2M2Y8AsgTpgAmY7PhCfg==';

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
    name: 'body-reserialised',
    cause:
      'Content-MD5 is that of the same JSON written differently (white space, order of keys or escapes); serialise once, sign those bytes and send the same',
    strings: (right) =>
      right.contentMd5 === undefined || !right.mayParseBody
        ? []
        : reserialisedBodies(right.body).map((body) =>
            signedWith(right, { contentMd5: contentMd5(new TextEncoder().encode(body)) }),
          ),
  },
];

function hexOf(md5: string | undefined): readonly string[] {
  return md5 === undefined ? [] : [toHex(Uint8Array.from(atob(md5), (byte) => byte.charCodeAt(0)))];
}
