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

test('the server says what the patterns of its answers say', () => {
  for (const { pattern } of answers) {
    const pieces = pattern.split(joints).map((piece) => piece.trim());
    for (const piece of pieces) {
      if (piece.length < charactersMin) continue;
      assert(sources.includes(piece), `no source of the server has "${piece}" of "${pattern}"`);
    }
  }
});
