import type { SeededRandom } from '../../seeded-random.ts';
import { brokenCase, type FuzzCase, type FuzzWorld, type MakeCase } from './fuzz-case.ts';

/** Requests generated from the rules of RFC 9110 and 9112, each followed or broken at random. */
export const grammarCases: readonly MakeCase[] = [generatedRequest];

type Rule = (random: SeededRandom) => string;

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const tokenMarks = "!#$%&'*+-.^_`|~";
const pathMarks = "-._~!$&'()*+,;=:@";
const breaking = ['\0', '\t', '\v', '\x7f', '\x80', '\xff', ' ', '"', '(', '/', '[', '\\', '{', '\n', '\r'];

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'QUERY'];
const words = ['user', 'users', 'store', 'stores', 'role', 'org', 'audit', 'batch', '..', '.', ''];
const headerNames = [
  'Host',
  'Authorization',
  'Timestamp',
  'Nonce',
  'Content-Type',
  'Content-Length',
  'Transfer-Encoding',
  'Connection',
  'Expect',
  'Upgrade',
  'Content-Encoding',
  'TE',
  'Trailer',
  'Forwarded',
  'X-Forwarded-For',
];
const headerValues = [
  '',
  '0',
  '5',
  'chunked',
  'gzip',
  'close',
  'keep-alive',
  '100-continue',
  'h2c',
  'cbs:a:b',
  'localhost',
  'application/json',
  'application/json; charset=utf-8',
  'text/plain; a="b\\"c"',
  '*/*;q=0.1',
];

/** It carries no valid signature, so every answer must be a refusal. */
function generatedRequest(random: SeededRandom, world: FuzzWorld): FuzzCase {
  const lineEnd = mostly(random, '\r\n', ['\n', '\r', '\r\r\n', '']);
  const space = mostly(random, ' ', ['\t', '  ', '']);
  const version = mostly(random, 'HTTP/1.1', ['HTTP/1.0', 'HTTP/3.0', 'http/1.1', 'HTTP/1', 'ICY/1.1', '']);
  const method = random.chance(0.7) ? random.pick(methods) : token(random);
  const requestLine = [method, target(random), version].join(space);
  const headers = Array.from({ length: random.integer(0, 12) }, () => header(random));
  const host = random.chance(0.9) ? ['Host: localhost'] : [];
  const signing = random.chance(0.5)
    ? [`Authorization: cbs:${world.credentials.appId}:${token(random)}`]
    : [];
  const head = [requestLine, ...host, ...signing, ...headers, '', ''].join(lineEnd);
  const bytes = Buffer.from(head + (random.chance(0.3) ? text(random, 60) : ''), 'latin1');
  return { ...brokenCase(bytes), bodiless: method === 'HEAD' };
}

function target(random: SeededRandom): string {
  const segment: Rule = () => (random.chance(0.6) ? random.pick(words) : pathText(random));
  const path = `/${repeat(random, 0, 5, segment).join('/')}`;
  const query = random.chance(0.5) ? `?${repeat(random, 0, 6, parameter).join('&')}` : '';
  const form = random.integer(0, 19);
  if (form === 0) return `http://localhost${path}${query}`;
  if (form === 1)
    return random.pick(['*', 'localhost:80', 'user', '//', '?', '#', `${path}#${pathText(random)}`]);
  return `${path}${query}`;
}

function parameter(random: SeededRandom): string {
  return random.chance(0.8) ? `${pathText(random)}=${pathText(random)}` : pathText(random);
}

function pathText(random: SeededRandom): string {
  const character: Rule = () => {
    if (random.chance(0.1)) return `%${random.integer(0, 255).toString(16).padStart(2, '0')}`;
    if (random.chance(0.02)) return random.pick(breaking);
    return random.pick([...letters, ...pathMarks]);
  };
  return repeat(random, 0, 12, character).join('');
}

function header(random: SeededRandom): string {
  const name = random.chance(0.6) ? random.pick(headerNames) : token(random);
  const value = random.chance(0.6) ? random.pick(headerValues) : text(random, random.pick([8, 40, 400]));
  const colon = mostly(random, ': ', [':', ' : ', ':\t', '']);
  const folded = random.chance(0.03) ? '\r\n folded' : '';
  return `${name}${colon}${value}${folded}`;
}

function token(random: SeededRandom): string {
  const character: Rule = () =>
    random.chance(0.02) ? random.pick(breaking) : random.pick([...letters, ...tokenMarks]);
  return repeat(random, 1, 14, character).join('');
}

/** Visible characters, some of them beyond ASCII. */
function text(random: SeededRandom, lengthMax: number): string {
  const character: Rule = () => {
    if (random.chance(0.01)) return random.pick(breaking);
    return String.fromCharCode(random.chance(0.05) ? random.integer(0x80, 0xff) : random.integer(0x20, 0x7e));
  };
  return repeat(random, 0, lengthMax, character).join('');
}

function repeat(random: SeededRandom, min: number, max: number, rule: Rule): string[] {
  return Array.from({ length: random.integer(min, max) }, () => rule(random));
}

function mostly(random: SeededRandom, right: string, wrong: readonly string[]): string {
  return random.chance(0.9) ? right : random.pick(wrong);
}
