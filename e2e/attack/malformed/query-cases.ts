import type { SeededRandom } from '../../seeded-random.ts';
import { type FuzzWorld, type MakeCase, noBody, signDraft, soundCase } from './fuzz-case.ts';

/** Properly signed requests whose query no operation may accept. */
export const queryCases: readonly MakeCase[] = [
  wrongParameter,
  badEncoding,
  manyParameters,
  missingThing,
  generatedQuery,
  generatedQuery,
];

const wrongIds = [
  '',
  'x',
  '1.0',
  '1e3',
  '0x1',
  '--1',
  '1-',
  "1'",
  '9223372036854775808',
  '-9223372036854775809',
  '9'.repeat(40),
  '9'.repeat(4_000),
  '１',
  '[1]',
  'null',
  'true',
];

const operationsWithQuery = [
  ['GET', '/user', ''],
  ['GET', '/user/role', ''],
  ['GET', '/user/store', ''],
  ['DELETE', '/user/role', '&role_id=11'],
  ['DELETE', '/user/org', '&org_id=21'],
  ['DELETE', '/user/store', '&store_code=S000000'],
] as const;

function wrongParameter(random: SeededRandom, world: FuzzWorld) {
  const [method, path, rest] = random.pick(operationsWithQuery);
  const parameter = random.pick([
    `user_id=${random.pick(wrongIds)}`,
    `user_id=${world.userId}&user_id=${world.userId}`,
    `user_id[]=${world.userId}`,
    `User_Id=${world.userId}`,
    `user_id`,
    '',
    '&&&',
    '=',
    '__proto__=1&constructor=2',
  ]);
  return send(random, world, method, `${path}?${parameter}${rest}`);
}

function badEncoding(random: SeededRandom, world: FuzzWorld) {
  const [method, path, rest] = random.pick(operationsWithQuery);
  const bad = random.pick(['%', '%4', '%zz', '%ff', '%c0%80', '%ed%a0%80', '%u0031', '%%31', '%f5%80%80%80']);
  const parameter = random.pick([`user_id=${bad}`, `${bad}=1&user_id=${world.userId}`, `username=${bad}`]);
  return send(random, world, method, `${path}?${parameter}${rest}`);
}

function manyParameters(random: SeededRandom, world: FuzzWorld) {
  const [method, path] = random.pick(operationsWithQuery);
  const count = random.pick([10, 500, 1_500]);
  const parameters = Array.from({ length: count }, (_, index) =>
    random.pick([`a${index}=1`, 'b=2', `c${index}`]),
  );
  return send(random, world, method, `${path}?${parameters.join('&')}`);
}

/** Well-formed, but about somebody or something that does not exist. */
function missingThing(random: SeededRandom, world: FuzzWorld) {
  const { userId, username } = world;
  const [method, target] = random.pick([
    ['GET', '/user?user_id=0'],
    ['GET', '/user?user_id=-9223372036854775808'],
    ['GET', '/user?username=nobody'],
    ['GET', `/user?user_id=${userId}&username=nobody`],
    ['GET', `/user?user_id=999999&username=${username}`],
    ['GET', '/user/role?user_id=9223372036854775807'],
    ['GET', '/user/store?user_id=999999'],
    ['DELETE', `/user/role?user_id=${userId}&role_id=12`],
    ['DELETE', `/user/org?user_id=${userId}&org_id=22`],
    ['DELETE', `/user/store?user_id=${userId}&store_code=nowhere`],
    ['DELETE', '/user/store?user_id=999999&store_code=S000000'],
  ] as const);
  return send(random, world, method, target);
}

/** Arbitrary names and values; none of them identifies an existing user. */
function generatedQuery(random: SeededRandom, world: FuzzWorld) {
  const [method, path] = random.pick(operationsWithQuery);
  const names = ['user_id', 'username', 'role_id', 'org_id', 'store_code', 'force', 'if_revision'];
  const parameters = Array.from({ length: random.integer(0, 8) }, () => {
    const name = random.chance(0.6) ? random.pick(names) : escaped(random);
    return random.chance(0.9) ? `${name}=9${escaped(random)}` : name;
  });
  return send(random, world, method, `${path}?${parameters.join('&')}`);
}

/** Text with needless percent-escapes, and some that are not UTF-8. */
function escaped(random: SeededRandom): string {
  const character = () => {
    const code = random.integer(0x21, 0x7e);
    if (random.chance(0.2)) return `%${random.integer(0, 255).toString(16).padStart(2, '0')}`;
    if (random.chance(0.2)) return `%${code.toString(16)}`;
    return encodeURIComponent(String.fromCharCode(code));
  };
  return Array.from({ length: random.integer(9, 24) }, character).join('');
}

function send(random: SeededRandom, world: FuzzWorld, method: string, target: string) {
  const signed = signDraft(world.credentials, random, { method, target, body: noBody });
  const headers = random.chance(0.3) ? [...signed, ['Content-Type', 'application/json'] as const] : signed;
  return soundCase({ method, target: encodeURI(target).replaceAll('%25', '%'), headers, body: noBody });
}
