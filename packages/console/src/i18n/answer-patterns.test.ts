import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { answers } from './zh/answers.ts';

const packages = join(import.meta.dirname, '../../..');

/** The sources of every answer of the server, with the parts of a sentence on several lines joined. */
const sources = ['server', 'contract', 'signing']
  .flatMap((name) => globSync(`${name}/src/**/*.ts`, { cwd: packages }))
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(packages, file), 'utf8').replaceAll(/['"`] \+\s+['"`]/g, ''))
  .join('\n');

/** The server composes its sentences at these: "the <name> header <problem>; <cure>", "<name> must be <rule>; it is a <kind>". */
const joints =
  /\{[^}]*\}|^the (?:[A-Z]\w+ header|body) | must be |; it is (?:an? )?|[;:] (?:this operation )?|, and the |header (?=is|was|has)/;

const charactersMin = 8;

/** Patterns without a longer piece. What the server says for them is compared in say-answer.test.ts. */
const composed = [
  ...['a string', 'a number', 'a boolean', 'an array', 'an object', 'null'].map(
    (kind) => `{field} must be one of {words}; it is ${kind}`,
  ),
  'the Timestamp header {problem}; {rule}',
  'role {id} has {count} {users}; {cure}',
  'store {code} has {count} {users}; {cure}',
];

function comparablePieces(pattern: string): string[] {
  const pieces = pattern.split(joints).map((piece) => piece.trim());
  return pieces.filter((piece) => piece.length >= charactersMin);
}

test('the server says what the patterns of its answers say', () => {
  for (const { pattern } of answers) {
    for (const piece of comparablePieces(pattern))
      assert(sources.includes(piece), `no source of the server has "${piece}" of "${pattern}"`);
  }
});

test('each pattern has a piece to compare, except those that are named here', () => {
  const without = answers.map(({ pattern }) => pattern).filter((each) => comparablePieces(each).length === 0);
  assert.deepEqual(without, composed);
});
