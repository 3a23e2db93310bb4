import type { SeededRandom } from '../../seeded-random.ts';
import {
  type Draft,
  type FuzzCase,
  type FuzzWorld,
  harmlessDraft,
  type MakeCase,
  noBody,
  soundCase,
} from './fuzz-case.ts';

/** Valid requests with signing headers that are missing, doubled, malformed or wrong, and unusual other headers. */
export const headerCases: readonly MakeCase[] = [
  withoutHeader,
  wrongAuthorization,
  wrongTimestamp,
  wrongNonce,
  oddHeaders,
  doubledHeader,
  randomRoute,
  fatHeaders,
];

type Header = Draft['headers'][number];

function withoutHeader(random: SeededRandom, world: FuzzWorld): FuzzCase {
  const draft = harmlessDraft(random, world);
  const left = random.pick(['Authorization', 'Timestamp', 'Nonce']);
  return soundCase({ ...draft, headers: draft.headers.filter(([name]) => name !== left) });
}

function replaceHeader(draft: Draft, name: string, value: string): FuzzCase {
  const headers = draft.headers.map((header): Header => (header[0] === name ? [name, value] : header));
  return soundCase({ ...draft, headers });
}

function wrongAuthorization(random: SeededRandom, world: FuzzWorld): FuzzCase {
  const draft = harmlessDraft(random, world);
  const right = draft.headers.find(([name]) => name === 'Authorization')?.[1] ?? '';
  const [, appId = '', signature = ''] = right.split(':');
  const digest = Buffer.from(signature, 'base64');
  const wrong = random.pick([
    '',
    'cbs',
    'cbs:',
    'cbs::',
    `cbs:${appId}`,
    `cbs:${appId}:`,
    `cbs::${signature}`,
    `CBS:${appId}:${signature}`,
    `cbs :${appId}:${signature}`,
    `cbs:${appId}: ${signature}`,
    `cbs:${appId}:${signature}:x`,
    `cbs:nobody:${signature}`,
    `cbs:__proto__:${signature}`,
    `cbs:${'x'.repeat(5_000)}:${signature}`,
    `cbs:${appId}:${digest.toString('hex')}`,
    `cbs:${appId}:${signature.slice(0, -1)}`,
    `cbs:${appId}:${digest.subarray(1).toString('base64')}`,
    `cbs:${appId}:${random.bytes(32).toString('base64')}`,
    `Bearer ${signature}`,
    'cbs:应用:签名',
    `${right}, ${right}`,
    `\u007f${right}`,
  ]);
  return replaceHeader(draft, 'Authorization', wrong.replace('\u007f', '~'));
}

function wrongTimestamp(random: SeededRandom, world: FuzzWorld): FuzzCase {
  const now = Math.floor(Date.now() / 1000);
  const value = random.pick([
    '',
    '0',
    '-1',
    `${now}.0`,
    `+${now}`,
    `0x${now.toString(16)}`,
    `${now}000`,
    String(now - 3600),
    String(now + 3600),
    '9'.repeat(16),
    '9'.repeat(400),
    '１７',
    'now',
    'NaN',
    'Infinity',
    new Date().toISOString(),
  ]);
  return replaceHeader(harmlessDraft(random, world), 'Timestamp', value);
}

function wrongNonce(random: SeededRandom, world: FuzzWorld): FuzzCase {
  const value = random.pick([
    '',
    'n'.repeat(37),
    'n'.repeat(8_000),
    '随'.repeat(37),
    'other',
    ' ',
    '%00',
    '{}',
  ]);
  return replaceHeader(harmlessDraft(random, world), 'Nonce', value);
}

/** Headers that must not matter: the request is still refused for the object that it names. */
function oddHeaders(random: SeededRandom, world: FuzzWorld): FuzzCase {
  const draft = harmlessDraft(random, world);
  const odd: Header = random.pick<Header>([
    ['X-Request-Id', 'mine'],
    ['X-HTTP-Method-Override', 'DELETE'],
    ['X-Forwarded-For', '127.0.0.1, ::1'],
    ['Content-MD5', 'AAAA'],
    ['Accept', 'text/html;q=0.1'],
    ['Accept-Encoding', 'gzip, br, *;q=0'],
    ['Accept-Version', '99.x'],
    ['Connection', 'Upgrade, HTTP2-Settings'],
    ['Upgrade', 'h2c'],
    ['Upgrade', 'websocket'],
    ['Expect', '100-continue'],
    ['Expect', 'the-unexpected'],
    ['Range', 'bytes=0-0'],
    ['If-None-Match', '*'],
    ['Cookie', `a=${'b'.repeat(4_000)}`],
    ['Origin', 'null'],
    ['Date', 'yesterday'],
    ['Host', 'other'],
    ['__proto__', 'x'],
    ['constructor', 'x'],
    ['TE', 'trailers'],
    ['Trailer', 'Authorization'],
    ['Content-Disposition', '\\"'],
    ['Content-Type', 'application/json'],
  ]);
  return soundCase({ ...draft, headers: [...draft.headers, odd] });
}

function doubledHeader(random: SeededRandom, world: FuzzWorld): FuzzCase {
  const draft = harmlessDraft(random, world);
  const [name, value] = random.pick(draft.headers);
  const second: Header = [name, random.pick([value, '', 'x', `${value}x`])];
  const headers = random.chance(0.5) ? [...draft.headers, second] : [second, ...draft.headers];
  return soundCase({ ...draft, headers });
}

const methods =
  'GET POST PUT DELETE PATCH HEAD OPTIONS TRACE PROPFIND SEARCH PURGE LOCK MKCOL REPORT QUERY'.split(' ');
const paths = [
  '/user/',
  '//user',
  '/user//store',
  '/USER',
  '/us%65r',
  '/user%2Fstore',
  '/user/./store',
  '/user/../user',
  '/user;a=b',
  '/user%00',
  '/user%',
  '/user%ff',
  '/user/stores/1',
  '/user/store/S000001',
  '/ir/upload',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/user#fragment',
  '/user\\store',
  '/user/用户',
  '/user?',
  '/user/role?',
  '/.env',
  `/user/${'a'.repeat(3_000)}`,
  'http://localhost/user',
  'http://other.example/user?user_id=1',
  'https://localhost:1/user/store',
  'user',
  '*',
];

/** Any method at any path, without a signature. */
function randomRoute(random: SeededRandom): FuzzCase {
  const draft = { method: random.pick(methods), target: random.pick(paths), headers: [], body: noBody };
  // The parser refuses a target that is not an ASCII path, and does not know QUERY, which is newer.
  const sound = /^\/[\x21-\x7e]*$/.test(draft.target) && draft.method !== 'QUERY';
  return { ...soundCase(draft), sound };
}

function fatHeaders(random: SeededRandom, world: FuzzWorld): FuzzCase {
  const draft = harmlessDraft(random, world);
  const fat: Header[] = random.chance(0.5)
    ? [['X-Fat', 'f'.repeat(random.pick([9_000, 15_000, 20_000, 100_000]))]]
    : Array.from({ length: random.pick([100, 800, 3_000]) }, (_, index) => [`X-${index}`, 'y']);
  return { ...soundCase({ ...draft, headers: [...draft.headers, ...fat] }), sound: false };
}
