import type { SeededRandom } from '../../seeded-random.ts';
import { type Draft, type FuzzWorld, type MakeCase, signDraft, soundCase } from './fuzz-case.ts';

/** Properly signed requests whose body no operation may accept. */
export const bodyCases: readonly MakeCase[] = [
  wrongField,
  wrongField,
  wrongField,
  refusedByTheDirectory,
  notAnObject,
  brokenJson,
  invalidUtf8,
  deepNesting,
  prototypeKeys,
  wrongContentType,
  manyUnknownStores,
];

/** Bodies that would be accepted without the changes made here. */
function validBodies({ username, userId, storeCode }: FuzzWorld) {
  return [
    { method: 'POST', target: '/user', body: { username: 'new-user', password: 'a password', gender: 1 } },
    { method: 'PUT', target: '/user', body: { id: userId, username, real_name: 'Changed', gender: 2 } },
    { method: 'POST', target: '/user/role', body: { user_id: userId, role_id: 11 } },
    { method: 'POST', target: '/user/org', body: { user_id: userId, org_id: 21 } },
    { method: 'POST', target: '/user/store', body: { user_id: userId, store_code: storeCode } },
    {
      method: 'POST',
      target: '/user/stores',
      body: { username, real_name: 'Changed', ext_info: '{}', store_codes: [storeCode] },
    },
  ] as const;
}

const wrongEverywhere = ['true', 'false', '{}', '[[]]', '[1]', '1.5', '1e400', '-1e-9', '{"__proto__":1}'];
const wrongTexts = [
  '0',
  '-7',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00x"',
  '[]',
  `"${'x'.repeat(1001)}"`,
];
const wrongInt64s = [
  '"1"',
  '""',
  '9223372036854775808',
  '-9223372036854775809',
  '1e3000',
  '99999999999999999999999999999',
  '0.1',
  '9223372036854775807.5',
];
const wrongGenders = ['3', '-1', '"1"', '"male"', '1.00000001', '4294967297', '9223372036854775807'];

/** Replaces the value of one field with one that its type does not allow. */
function wrongField(random: SeededRandom, world: FuzzWorld) {
  const { method, target, body } = random.pick(validBodies(world));
  const [name, value] = random.pick(Object.entries(body));
  const wrong = random.pick([...wrongEverywhere, ...wrongValues(name, value)]);
  const fields = Object.entries(body).map(
    ([field, right]) => `${JSON.stringify(field)}:${field === name ? wrong : JSON.stringify(right)}`,
  );
  // The last of two equal names counts, so the wrong one must follow a correct one.
  const repeated = random.chance(0.1) ? [`${JSON.stringify(name)}:${JSON.stringify(value)}`] : [];
  return send(random, world, method, target, `{${[...repeated, ...fields].join(',')}}`);
}

function wrongValues(name: string, value: unknown): string[] {
  if (name === 'gender') return wrongGenders;
  if (typeof value === 'number') return wrongInt64s;
  if (Array.isArray(value))
    return ['"S000001"', '[null]', '["\\u0000"]', '[""]', '[["S000001"]]', '{"0":"S000001"}', '["a",2]'];
  return wrongTexts;
}

/** Well-formed, but refused for what it names. */
function refusedByTheDirectory(random: SeededRandom, world: FuzzWorld) {
  const { username, userId } = world;
  const missing = random.pick([0, -1, 999_999_999, Number.MIN_SAFE_INTEGER]);
  const [method, target, body] = random.pick([
    ['POST', '/user', { username, password: 'x' }],
    ['PUT', '/user', { id: missing, real_name: 'x' }],
    ['PUT', '/user', { username: 'nobody', real_name: 'x' }],
    ['PUT', '/user', { id: userId, username: 'nobody', real_name: 'x' }],
    ['PUT', '/user', { real_name: 'x' }],
    ['POST', '/user/role', { user_id: userId, role_id: missing }],
    ['POST', '/user/org', { user_id: userId, org_id: missing }],
    ['POST', '/user/store', { user_id: userId, store_code: "' or 1=1 --" }],
    ['POST', '/user/stores', { username, real_name: 'x', store_codes: ['S000001', 'no such store'] }],
    ['POST', '/user/stores', { username: 'new-user', store_codes: ['constructor'] }],
  ] as const);
  return send(random, world, method, target, JSON.stringify(body));
}

function notAnObject(random: SeededRandom, world: FuzzWorld) {
  const text = random.pick([
    '',
    ' ',
    'null',
    '0',
    '""',
    '[]',
    '[{"username":"a","password":"b"}]',
    'true',
    '"{}"',
  ]);
  return sendAnywhere(random, world, text);
}

/** Makes a correct body with one character added, removed or changed. */
function brokenJson(random: SeededRandom, world: FuzzWorld) {
  const { method, target, body } = random.pick(validBodies(world));
  const text = JSON.stringify(body);
  const broken = random.pick([
    text.slice(0, random.integer(1, text.length - 1)),
    `${text}${random.pick(['}', ',', 'x', '{}', '\u0000', '//'])}`,
    `\ufeff\ufeff${text}`,
    text.replace(':', random.pick(['=', '::', ':,', ':+', ':0x1,"a":', ':NaN,"a":'])),
    text.replaceAll('"', "'"),
    `{"a":1e,${text.slice(1)}`,
    `{"a":"\t\n",${text.slice(1)}`,
    `${text.slice(0, -1)},}`,
  ]);
  return send(random, world, method, target, broken);
}

function invalidUtf8(random: SeededRandom, world: FuzzWorld) {
  const bad = random.pick([
    [0xff],
    [0xc0, 0x80],
    [0xed, 0xa0, 0x80],
    [0xf5, 0x80, 0x80, 0x80],
    [0xe4, 0xb8],
    [0x80],
  ]);
  const body = Buffer.concat([
    Buffer.from('{"username":"bad-'),
    Buffer.from(bad),
    Buffer.from('","password":"a password"}'),
  ]);
  return send(random, world, 'POST', random.pick(['/user', '/user/stores']), body);
}

function deepNesting(random: SeededRandom, world: FuzzWorld) {
  const depth = random.pick([1_000, 10_000, 100_000]);
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"a":', '}]'],
  ] as const);
  // Digits beyond a number's precision send the parser down its slower, exact path.
  const core = random.pick(['1', '12345678901234567890', '']);
  const nested =
    open.repeat(depth) +
    (open === '[' ? core : core || '1') +
    (random.chance(0.8) ? close.repeat(depth) : '');
  const field = random.pick(['username', 'store_codes', 'user_id', 'real_name']);
  const text = random.chance(0.5) ? nested : `{"password":"x","${field}":${nested}}`;
  return sendAnywhere(random, world, text);
}

function prototypeKeys(random: SeededRandom, world: FuzzWorld) {
  const key = random.pick(['__proto__', 'constructor', 'prototype']);
  const text = random.pick([
    `{"${key}":{"username":"new-user","password":"x","user_id":${world.userId},"role_id":11}}`,
    `{"${key}":null}`,
    `{"${key}":{"${key}":{"username":"x"}},"password":"x"}`,
    '{"hasOwnProperty":1,"toString":2,"valueOf":3}',
  ]);
  return sendAnywhere(random, world, text);
}

function wrongContentType(random: SeededRandom, world: FuzzWorld) {
  const { method, target, body } = random.pick(validBodies(world));
  const header = random.pick([
    ['Content-Type', 'text/plain'],
    ['Content-Type', 'application/x-www-form-urlencoded'],
    ['Content-Type', 'application/json; charset=utf-16'],
    ['Content-Type', 'application/json; charset=gbk'],
    ['Content-Type', 'multipart/form-data; boundary=x'],
    ['Content-Type', ';;;'],
    ['Content-Type', '\u0001'.replace('\u0001', '%')],
    ['Content-Encoding', 'gzip'],
    ['Content-Encoding', 'identity, gzip'],
  ] as const);
  return send(random, world, method, target, JSON.stringify(body), header);
}

function manyUnknownStores(random: SeededRandom, world: FuzzWorld) {
  const count = random.pick([1, 100, 5_000]);
  const store_codes = Array.from({ length: count }, (_, index) => `unknown-${index}`);
  const body = { username: random.pick([world.username, 'new-user']), store_codes };
  return send(random, world, 'POST', '/user/stores', JSON.stringify(body));
}

function sendAnywhere(random: SeededRandom, world: FuzzWorld, text: string) {
  const [method, target] = random.pick([
    ['POST', '/user'],
    ['PUT', '/user'],
    ['POST', '/user/role'],
    ['POST', '/user/org'],
    ['POST', '/user/store'],
    ['POST', '/user/stores'],
  ] as const);
  return send(random, world, method, target, text);
}

function send(
  random: SeededRandom,
  world: FuzzWorld,
  method: string,
  target: string,
  content: string | Buffer,
  header: Draft['headers'][number] = ['Content-Type', 'application/json'],
) {
  const body = Buffer.from(content);
  const signed = signDraft(world.credentials, random, { method, target, body });
  return soundCase({ method, target, headers: [...signed, header], body });
}
