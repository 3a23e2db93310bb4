import { md5OfNothing } from './body-mistakes.ts';
import { linesOf, type RightParts, type StringMistake, signedWith } from './mistake.ts';

/** Any millisecond of the second in the header, which makes a thousand texts. */
export const timestampMilliseconds: StringMistake = {
  name: 'timestamp-milliseconds',
  cause: 'the Timestamp was signed in milliseconds and sent in seconds; sign exactly what the header says',
  *strings(right) {
    for (let ms = 1; ms < 1000; ms += 1) {
      yield signedWith(right, { timestamp: right.timestamp + String(ms).padStart(3, '0') });
    }
  },
};

/** Prefixes of the path that proxies often remove, for a search that knows of no other. */
export const usualPrefixes: readonly string[] = ['/api/v1', '/api'];

/** Mistakes in how the parts are written and joined. */
export const layoutMistakes: readonly StringMistake[] = [
  {
    name: 'trailing-line-feed',
    cause: 'a line feed follows the last line; there is none after the resource',
    strings: (right) => [`${signedWith(right, {})}\n`, `${signedWith(right, {})}\r\n`],
  },
  {
    name: 'line-separator',
    cause:
      'the lines are not separated by one line feed (U+000A) each; CR LF, a written-out backslash and n, "&", a space or nothing is not the same',
    strings: (right) => ['\r\n', '\\n', '&', '', ' '].map((separator) => linesOf(right).join(separator)),
  },
  {
    name: 'string-quoted',
    cause: 'the string to sign was signed in quotation marks, as JSON writes it; sign it without them',
    strings: (right) => {
      const text = signedWith(right);
      return [JSON.stringify(text), `"${text}"`, `'${text}'`];
    },
  },
  {
    name: 'method-case',
    cause: 'the method was not signed in upper case',
    strings: (right) => {
      const rest = signedWith(right, {}).slice(right.method.length);
      const lower = right.method.toLowerCase();
      return [lower + rest, right.method.slice(0, 1) + lower.slice(1) + rest];
    },
  },
  {
    name: 'path-prefix',
    cause:
      'the path was signed without its base path; sign it from the first "/" of the URL on, as it is sent',
    strings: (right) => pathTails(right.path).map((path) => withPath(right, path)),
  },
  {
    name: 'path-with-origin',
    cause: 'the scheme or the host was signed; sign the path and the query alone',
    strings: (right) =>
      right.origin === undefined
        ? []
        : originForms(right.origin).flatMap((origin) => [
            withPath(right, origin + right.path),
            signedWith(right, { canonicalResource: origin + right.target }),
          ]),
  },
  {
    name: 'path-slash',
    cause: 'the path was signed with another slash at its start or end than it is sent with',
    strings: (right) => [
      withPath(right, right.path.endsWith('/') ? withoutTrailingSlashes(right.path) : `${right.path}/`),
      withPath(right, right.path.slice(1)),
    ],
  },
  {
    name: 'timestamp-milliseconds',
    cause: timestampMilliseconds.cause,
    strings: (right) => [signedWith(right, { timestamp: `${right.timestamp}000` })],
  },
  {
    name: 'timestamp-differs',
    cause: 'another Timestamp was signed than the header says; read the clock once for both',
    strings: (right) =>
      [-1, 1, -2, 2].map((seconds) =>
        signedWith(right, { timestamp: String(Number(right.timestamp) + seconds) }),
      ),
  },
  {
    name: 'nonce-missing',
    cause: 'the Nonce was left out; it is a line of its own after the Timestamp',
    strings: (right) => [withoutLine(right, right.nonce), signedWith(right, { nonce: '' })],
  },
  {
    name: 'timestamp-missing',
    cause: 'the Timestamp was left out; it is a line of its own before the Nonce',
    strings: (right) => [withoutLine(right, right.timestamp)],
  },
  {
    name: 'method-missing',
    cause: 'the method was left out; it is the first line, in upper case',
    strings: (right) => [linesOf(right).slice(1).join('\n'), ['', ...linesOf(right).slice(1)].join('\n')],
  },
  {
    name: 'resource-missing',
    cause: 'the path and the query were left out; they are the last line',
    strings: (right) => [
      linesOf(right).slice(0, -1).join('\n'),
      signedWith(right, { canonicalResource: '' }),
    ],
  },
  {
    name: 'order-of-lines',
    cause: 'the lines are in another order; it is method, Content-MD5, Timestamp, Nonce, resource',
    *strings(right) {
      for (const lines of orders(linesOf(right))) yield lines.join('\n');
    },
  },
  {
    name: 'content-type-signed',
    cause: 'the Content-Type was signed; it is not part of the string to sign',
    strings: (right) => {
      const [method = '', ...rest] = linesOf(right);
      const head = right.contentMd5 === undefined ? [method] : [method, rest.shift() ?? ''];
      return [[...head, 'application/json', ...rest].join('\n')];
    },
  },
  {
    name: 'method-differs',
    cause:
      'the method that was signed is not the one that was sent; HttpURLConnection in Java sends POST in place of GET once the program opens its output stream, and curl does with --data',
    strings: (right) =>
      methods
        .filter((method) => method !== right.method)
        .flatMap((method) => [
          signedWith(right, { method, contentMd5: right.contentMd5 ?? md5OfNothing }),
          signedWith(right, { method, contentMd5: undefined }),
        ]),
  },
  {
    name: 'path-prefix-removed',
    cause:
      "the path was signed with a prefix that did not reach the server; sign the path that is sent, or, if a proxy removes the prefix, let it pass the path on unchanged and put the prefix at the start of the server's --base-path",
    strings: (right) =>
      right.removedPrefixes
        .filter((prefix) => !right.path.startsWith(`${prefix}/`))
        .map((prefix) => withPath(right, prefix + right.path)),
  },
];

const methods = ['GET', 'POST', 'PUT', 'DELETE'];

function withPath(right: RightParts, path: string): string {
  return signedWith(right, { canonicalResource: path + right.canonicalResource.slice(right.path.length) });
}

/**
 * Returns the forms of the origin that may have been signed. The real scheme is unknown because a proxy may
 * have terminated TLS.
 */
function originForms(origin: string): readonly string[] {
  const host = origin.replace(/^[a-z]+:\/\//i, '');
  return [origin, `https://${host}`, host];
}

const pathTailsMax = 4;

/** Returns the path without its first segment, without its first two, and so on. */
function pathTails(path: string): readonly string[] {
  const segments = path.split('/').slice(1, pathTailsMax + 2);
  return segments.slice(1).map(
    (_, index) =>
      `/${path
        .split('/')
        .slice(index + 2)
        .join('/')}`,
  );
}

function withoutLine(right: RightParts, line: string): string {
  return linesOf(right)
    .filter((each) => each !== line)
    .join('\n');
}

/** Yields every order of the lines: 24 for four of them, 120 for five. */
function* orders(lines: readonly string[]): Generator<readonly string[]> {
  if (lines.length === 0) yield lines;
  for (const [index, first] of lines.entries()) {
    for (const rest of orders(lines.toSpliced(index, 1))) yield [first, ...rest];
  }
}

// A regular expression would restart at every slash, and the sender chooses how many there are.
function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}
