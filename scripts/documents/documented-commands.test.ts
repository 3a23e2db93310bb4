import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';
import { buildProgram } from '../../packages/cli/src/program.ts';
import { listFiles } from '../list-files.ts';

const root = join(import.meta.dirname, '../..');
// The changelog may name commands that are gone.
const documents = listFiles(root).filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md');

/** Returns the arguments of each `fieldroster` command that a document names, in its text or in a block. */
function commandsIn(text: string): string[][] {
  const joined = text.replaceAll(/\\\n\s*/g, ' ');
  const inline = joined.matchAll(/`fieldroster ([^`]+)`/g);
  const inBlocks = joined.matchAll(/^(?:[$#] |[A-Z_]+=\S+ |sudo (?:-u \S+ )?)*fieldroster ([^`\n]+)$/gm);
  return [...inline, ...inBlocks].map(([, line = '']) => {
    const [words = ''] = line.split(/ (?:[|>&#]|2>)/);
    return words.trim().split(/\s+/);
  });
}

/** Returns the first word of a documented command that the program does not know; `undefined` if it knows them all. */
function unknownWord(program: Command, words: readonly string[]): string | undefined {
  let command = program;
  for (const word of words) {
    if (word.startsWith('--')) {
      const [flag = ''] = word.split('=');
      if (flag !== '--help' && !command.options.some(({ long }) => long === flag)) return flag;
      continue;
    }
    const child = command.commands.find((candidate) => candidate.name() === word);
    if (child !== undefined) command = child;
    else if (command === program || command.registeredArguments.length + command.options.length === 0)
      return word;
  }
  return undefined;
}

test('every command that a document names exists, with its flags', async () => {
  const program = await buildProgram([]);
  const all = await buildProgram([...program.commands.map((command) => command.name()), 'erase']);
  const problems: string[] = [];
  let checked = 0;
  for (const path of documents)
    for (const words of commandsIn(readFileSync(join(root, path), 'utf8'))) {
      checked += 1;
      const unknown = unknownWord(all, words);
      if (unknown !== undefined) problems.push(`${path}: fieldroster ${words.join(' ')}: ${unknown}`);
    }
  assert.deepEqual(problems, []);
  assert(checked > 100, `only ${checked} commands were found`);
});
