import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { settingDefinitions, workerVariables } from '@fieldroster/server/admin';
import type { Command } from 'commander';
import { buildProgram } from '../../packages/cli/src/program.ts';
import { listFiles } from '../list-files.ts';

const root = join(import.meta.dirname, '../..');
const files = listFiles(root);

/** Variables that our own processes set for each other. */
const ours: readonly string[] = [...workerVariables, 'FIELDROSTER_HANDED_OVER'];

function namesIn(text: string): string[] {
  return [...text.matchAll(/\bFIELDROSTER_[A-Z_]*[A-Z]\b/g)].map(([name]) => name);
}

/** Drops the lines of comments. */
function withoutComments(source: string): string {
  return source.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
}

const documented = new Set(
  files
    .filter((path) => path === 'README.md' || (path.startsWith('docs/') && path.endsWith('.md')))
    .flatMap((path) => namesIn(readFileSync(join(root, path), 'utf8'))),
);

function variablesOf(command: Command): string[] {
  return [...command.options.flatMap(({ envVar }) => envVar ?? []), ...command.commands.flatMap(variablesOf)];
}

test('the documentation names every environment variable that a setting or flag has, or that the code reads', async () => {
  const program = await buildProgram([]);
  // `user erase` gets its flags only when the command line names it.
  const all = await buildProgram([...program.commands.map((command) => command.name()), 'erase']);
  const sources = files.filter(
    (path) => /^packages\/(cli|server|client)\/src\/.*\.ts$/.test(path) && !path.endsWith('.test.ts'),
  );
  const read = sources.flatMap((path) => namesIn(withoutComments(readFileSync(join(root, path), 'utf8'))));
  const known = new Set([
    ...settingDefinitions.map(({ environment }) => environment),
    ...variablesOf(all),
    ...read,
  ]);
  assert.ok(known.has('FIELDROSTER_DATA') && known.has('FIELDROSTER_MASTER_KEY'));
  assert.deepEqual(
    [...known].filter((name) => !documented.has(name) && !ours.includes(name)),
    [],
  );
});
