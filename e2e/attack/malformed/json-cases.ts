import type { SeededRandom } from '../../seeded-random.ts';
import { type FuzzCase, type FuzzWorld, type MakeCase, signDraft, soundCase } from './fuzz-case.ts';

/** Properly signed bodies generated from the rules of JSON (RFC 8259), some with one character changed. */
export const jsonCases: readonly MakeCase[] = [generatedJson];

const fieldNames = [
  'user_id',
  'username',
  'password',
  'real_name',
  'role_id',
  'org_id',
  'store_code',
  'store_codes',
  'id',
  'gender',
  'ext_info',
  'if_revision',
  '__proto__',
  'constructor',
  '',
  'toString',
];

/** Fields that make an operation refuse any body that ends with them: the last of two equal names counts. */
const refusedFields = {
  '/user': '"username":"\\u0000"',
  '/user/role': '"user_id":-1',
  '/user/org': '"user_id":-1',
  '/user/store': '"user_id":-1',
  '/user/stores': '"username":"\\u0007"',
};

function generatedJson(random: SeededRandom, world: FuzzWorld): FuzzCase {
  const [target, refused] = random.pick(Object.entries(refusedFields));
  const members = Array.from({ length: random.integer(0, 8) }, () => member(random, 4));
  const written = `{${[...members, refused].join(`${blank(random)},`)}}`;
  const body = Buffer.from(random.chance(0.4) ? withOneChange(random, written) : written);
  const signed = signDraft(world.credentials, random, { method: 'POST', target, body });
  const headers = [...signed, ['Content-Type', 'application/json'] as const];
  return soundCase({ method: 'POST', target, headers, body });
}

function member(random: SeededRandom, depth: number): string {
  const name = random.chance(0.7) ? JSON.stringify(random.pick(fieldNames)) : text(random);
  return `${blank(random)}${name}${blank(random)}:${blank(random)}${value(random, depth)}`;
}

function value(random: SeededRandom, depth: number): string {
  const kind = random.integer(0, depth > 0 ? 6 : 4);
  if (kind <= 1) return text(random);
  if (kind <= 3) return number(random);
  if (kind === 4) return random.pick(['true', 'false', 'null']);
  const length = random.integer(0, 5);
  if (kind === 5) return `[${Array.from({ length }, () => value(random, depth - 1)).join(',')}]`;
  return `{${Array.from({ length }, () => member(random, depth - 1)).join(',')}}`;
}

function number(random: SeededRandom): string {
  const digits = String(random.integer(1, 9)) + '0123456789'.repeat(3).slice(random.integer(3, 29));
  const fraction = random.chance(0.3) ? `.${random.integer(0, 999)}` : '';
  const exponent = random.chance(0.2) ? `e${random.pick(['', '+', '-'])}${random.integer(0, 400)}` : '';
  return `${random.pick(['', '-'])}${digits}${fraction}${exponent}`;
}

function text(random: SeededRandom): string {
  const character = () => {
    if (random.chance(0.1))
      return random.pick(['\\n', '\\"', '\\\\', '\\/', '\\u0000', '\\ud83d\\ude00', '\\ud800']);
    if (random.chance(0.1)) return random.pick(['é', '张', '😀', '\u2028', '\u202e', '\ufeff']);
    return JSON.stringify(String.fromCharCode(random.integer(0x20, 0x7e))).slice(1, -1);
  };
  return `"${Array.from({ length: random.integer(0, 20) }, character).join('')}"`;
}

function blank(random: SeededRandom): string {
  return random.chance(0.9) ? '' : random.pick([' ', '\t', '\n', '\r\n', '  ']);
}

/** Changes one character, but not in the refused member: a body that is still valid JSON is refused too. */
function withOneChange(random: SeededRandom, written: string): string {
  const end = written.lastIndexOf('"', written.lastIndexOf(':')) - 12;
  const at = random.integer(0, Math.max(0, end));
  const put = random.pick([
    '',
    '',
    ',',
    ':',
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    '\0',
    '0',
    'e',
    '.',
    '/*',
    'undefined',
  ]);
  return written.slice(0, at) + put + written.slice(at + random.integer(0, 1));
}
