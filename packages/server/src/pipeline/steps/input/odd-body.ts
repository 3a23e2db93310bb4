import { isGzip } from '../../failures/uncompressed.ts';

/** The part of a body that shows how it is written, in bytes. */
const headBytes = 256;

const formStart = /^[\w.%[\]-]{1,64}=/;

/** What the beginning of a body shows; the first that fits counts. Each completes "the body is not JSON: it …". */
const forms: readonly (readonly [fits: (head: string) => boolean, is: string])[] = [
  [
    (head) => head.startsWith('--') && head.includes('form-data'),
    'is a multipart form; send a JSON object in place of its parts',
  ],
  [(head) => head.startsWith('<'), 'is XML or HTML; send a JSON object'],
  [
    (head) => /^[[{]\s*[{]?'/.test(head),
    'has names in single quotes; JSON has double quotes: let a JSON library write it',
  ],
  [(head) => head.startsWith('[object '), 'is the text [object Object]; send what JSON.stringify returns'],
  [
    (head) => head.startsWith('@'),
    'begins with @, as the name of a file does that was not read; send what is in the file',
  ],
  [
    (head) => ['%7B', '%5B'].includes(head.slice(0, 3).toUpperCase()),
    'is percent-encoded; send the JSON itself',
  ],
  [(head) => head.startsWith('eyJ'), 'is encoded in Base64; send the JSON itself'],
  [(head) => formStart.test(head), 'is a form (a=b&c=d); send a JSON object: {"a":"b","c":"d"}'],
];

/** Says how a body that is not JSON is written, and what to send instead; `undefined` if its beginning does not show it. */
export function nameOddBody(bytes: Buffer): string | undefined {
  if (isGzip(bytes)) return 'is compressed with gzip; send it uncompressed';
  const head = bytes.subarray(0, headBytes);
  if (isUtf16(head)) return 'is encoded in UTF-16; encode it in UTF-8';
  const text = head.toString('latin1').trimStart();
  return forms.find(([fits]) => fits(text))?.[1];
}

/** Also without a byte order mark: every second byte of ASCII letters in UTF-16 is NUL. */
function isUtf16(head: Buffer): boolean {
  if (head.length < 2) return false;
  const mark = head.readUInt16BE();
  if (mark === 0xfffe || mark === 0xfeff) return true;
  return [0, 1].some((first) => head.every((byte, at) => at % 2 !== first || byte === 0));
}
