import type { SeededRandom } from '../../seeded-random.ts';
import {
  brokenCase,
  type Draft,
  type FuzzCase,
  type FuzzWorld,
  harmlessDraft,
  headOf,
  type MakeCase,
  wholeOf,
} from './fuzz-case.ts';

/** Bytes that break or stretch HTTP's rules. */
export const framingCases: readonly MakeCase[] = [
  wrongLength,
  chunkedAbuse,
  smuggled,
  pipelined,
  oddRequestLine,
  rawTarget,
  missingHost,
];

function wrongLength(random: SeededRandom, world: FuzzWorld): FuzzCase {
  const draft = harmlessDraft(random, world);
  const length = random.pick([
    '0',
    '-1',
    '+5',
    '5, 5',
    '1e2',
    '0x10',
    '',
    'x',
    '99999999999999999999',
    '18446744073709551616',
    String(draft.body.length + 1),
    String(draft.body.length - 1),
    '4294967296',
  ]);
  return brokenCase(Buffer.concat([headOf(draft, [['Content-Length', length]]), draft.body]));
}

function chunkedAbuse(random: SeededRandom, world: FuzzWorld): FuzzCase {
  const draft = harmlessDraft(random, world);
  const size = draft.body.length.toString(16);
  const body = draft.body.toString('latin1');
  const chunks = random.pick([
    `${size}\r\n${body}\r\n0\r\n\r\n`,
    `${size};${'e'.repeat(random.pick([10, 20_000]))}\r\n${body}\r\n0\r\n\r\n`,
    `${size}\n${body}\n0\n\n`,
    `-1\r\n${body}\r\n0\r\n\r\n`,
    `ffffffffffffffff1\r\n${body}\r\n0\r\n\r\n`,
    `fffffff\r\n${body}`,
    `zz\r\n${body}\r\n0\r\n\r\n`,
    `${size}\r\n${body}0\r\n\r\n`,
    `${size}\r\n${body}\r\n0\r\nAuthorization: cbs:a:b\r\nX: ${'y'.repeat(100)}\r\n\r\n`,
    `0\r\n\r\n`,
    `${[...body].map((character) => `1\r\n${character}\r\n`).join('')}0\r\n\r\n`,
  ]);
  const coding = random.pick([
    'chunked',
    'chunked',
    'Chunked',
    'gzip, chunked',
    'chunked, gzip',
    'identity',
    'xchunked',
    'chunked, chunked',
  ]);
  return brokenCase(
    Buffer.concat([headOf(draft, [['Transfer-Encoding', coding]]), Buffer.from(chunks, 'latin1')]),
  );
}

/** Two conflicting lengths of the request, with a second request in the bytes between them. */
function smuggled(random: SeededRandom, world: FuzzWorld): FuzzCase {
  const draft = harmlessDraft(random, world);
  const inner = wholeOf(harmlessDraft(random, world)).toString('latin1');
  const headers: Draft['headers'] = random.pick<Draft['headers']>([
    [
      ['Content-Length', String(5 + inner.length)],
      ['Transfer-Encoding', 'chunked'],
    ],
    [
      ['Transfer-Encoding', 'chunked'],
      ['Content-Length', '0'],
    ],
    [
      ['Content-Length', '0'],
      ['Content-Length', String(inner.length)],
    ],
    [['Transfer-Encoding ', 'chunked']],
    [['Transfer-Encoding', '\tchunked']],
    [['X', 'y\r\nTransfer-Encoding: chunked']],
    [['X', 'y\nContent-Length: 0']],
    [['X', 'y\rz']],
    [[' Folded', 'x']],
  ]);
  return brokenCase(Buffer.concat([headOf(draft, headers), Buffer.from(`0\r\n\r\n${inner}`, 'latin1')]));
}

function pipelined(random: SeededRandom, world: FuzzWorld): FuzzCase {
  const requests = Array.from({ length: random.integer(2, 20) }, () => wholeOf(harmlessDraft(random, world)));
  const last = random.chance(0.5) ? [Buffer.from('\r\n\r\nGARBAGE')] : [];
  return brokenCase(Buffer.concat([...requests, ...last]));
}

function oddRequestLine(random: SeededRandom, world: FuzzWorld): FuzzCase {
  const bytes = wholeOf(harmlessDraft(random, world)).toString('latin1');
  const line = random.pick([
    'POST /user/store HTTP/1.0',
    'POST /user/store HTTP/0.9',
    'POST /user/store HTTP/2.0',
    'POST /user/store HTTP/1.1 ',
    'POST  /user/store  HTTP/1.1',
    'POST\t/user/store\tHTTP/1.1',
    'post /user/store HTTP/1.1',
    'POST /user/store',
    ' POST /user/store HTTP/1.1',
    'POST /user/store?a=b c HTTP/1.1',
    'POST /user/store\u0000 HTTP/1.1',
    'CONNECT localhost:80 HTTP/1.1',
    'CONNECT /user HTTP/1.1',
    'PRI * HTTP/2.0',
    `POST /${'a'.repeat(70_000)} HTTP/1.1`,
    `POST /user/store?${'a=b&'.repeat(3_000)} HTTP/1.1`,
    'M-SEARCH * HTTP/1.1',
  ]);
  return brokenCase(
    Buffer.from(
      bytes.replace(/^[^\r]*/, () => line),
      'latin1',
    ),
  );
}

/** Bytes above 0x7F in the target, with or without a second request in the same bytes. */
function rawTarget(random: SeededRandom, world: FuzzWorld): FuzzCase {
  const draft = harmlessDraft(random, world);
  const raw = random.pick(['张三', 'é', '\u0085', '\u2028GET /user', '\xe5\r\n', '🙂\r\n\r\n']);
  const text = random.chance(0.7) ? Buffer.from(raw) : Buffer.from(`${raw}\xff`, 'latin1');
  const place = random.pick(['?a=', '?', '/', '?store_code=%', '#']);
  const line = Buffer.concat([Buffer.from(`POST /user/store${place}`), text, Buffer.from(' HTTP/1.1')]);
  const rest = wholeOf(draft).subarray('POST /user/store HTTP/1.1'.length);
  const before = random.chance(0.3) ? [wholeOf(harmlessDraft(random, world))] : [];
  const behind = random.chance(0.3) ? [wholeOf(harmlessDraft(random, world))] : [];
  return brokenCase(Buffer.concat([...before, line, rest, ...behind]));
}

function missingHost(random: SeededRandom, world: FuzzWorld): FuzzCase {
  const bytes = wholeOf(harmlessDraft(random, world)).toString('latin1');
  const host = random.pick(['', 'Host: \r\n', 'Host: a\r\nHost: b\r\n', 'Host: a b\r\n', 'Host: [\r\n']);
  return brokenCase(Buffer.from(bytes.replace('Host: localhost\r\n', host), 'latin1'));
}
