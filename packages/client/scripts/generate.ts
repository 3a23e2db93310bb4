/**
 * Generates `src/generated/*.ts` from the contract. The contract itself is not bundled because it brings a
 * schema library, and the published types must not name a package that is not installed.
 *
 * With `--check`, only compares, and exits with 1 when a file is out of step.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatedFiles } from './generated-files.ts';

const folder = fileURLToPath(new URL('../src/generated/', import.meta.url));
const root = fileURLToPath(new URL('../../../', import.meta.url));
const formatter = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');

const wanted = formatAll(generatedFiles());
const present = new Map(readdirSync(folder).map((name) => [name, readFileSync(folder + name, 'utf8')]));
const names = [...new Set([...Object.keys(wanted), ...present.keys()])];
const outOfStep = names.filter((name) => wanted[name] !== present.get(name));

for (const name of outOfStep) {
  const text = wanted[name];
  if (process.argv.includes('--check')) {
    console.error(`packages/client/src/generated/${name} is out of step with the contract; run npm run docs`);
    process.exitCode = 1;
  } else if (text === undefined) {
    rmSync(folder + name);
  } else {
    writeFileSync(folder + name, text);
  }
}

/** Formats all files at once in a temporary folder: starting the formatter for each file would take long. */
function formatAll(files: Record<string, string>): Record<string, string> {
  const draft = mkdtempSync(join(tmpdir(), 'fieldroster-generate-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(draft, name), text);
    const options = ['--write', '--log-level=error', '--vcs-enabled=false', `--config-path=${root}`];
    execFileSync(process.execPath, [formatter, 'check', ...options, draft], { stdio: 'pipe' });
    return Object.fromEntries(
      Object.keys(files).map((name) => [name, readFileSync(join(draft, name), 'utf8')]),
    );
  } finally {
    rmSync(draft, { recursive: true });
  }
}
