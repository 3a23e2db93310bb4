import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(root, 'docs/reliability.md'), 'utf8');

/** Returns the programs that the table below a heading names, at least one in each row. */
function programsBelow(heading: string): string[] {
  const section = page.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? '';
  const [, , ...rows] = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.flatMap((row) => {
    const programs =
      row
        .split(' | ')
        .at(-1)
        ?.matchAll(/`([^`]+\.test\.ts)`/g) ?? [];
    const names = [...programs].map(([, name = '']) => name);
    assert.notEqual(names.length, 0, `the row ends with a program: ${row}`);
    return names;
  });
}

for (const [heading, folder] of [
  ['Faults', 'e2e/faults'],
  ['Attacks', 'e2e/attack'],
] as const)
  test(`every program in the table of ${heading.toLowerCase()} is where the table says`, () => {
    const programs = programsBelow(heading);
    assert.notEqual(programs.length, 0);
    const paths = programs.map((name) => (/^(packages|e2e)\//.test(name) ? name : `${folder}/${name}`));
    assert.deepEqual(
      paths.filter((path) => !existsSync(join(root, path))),
      [],
    );
  });
