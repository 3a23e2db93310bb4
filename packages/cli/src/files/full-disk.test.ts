import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/run-command.ts';

const folder = temporaryFolder();
const bytesMax = 8 * 1024;

/** Returns what a program says when it fails in a process that may make no file larger than `bytesMax`. */
function failureOf(module: string, program: string): string {
  const script = `
    const module = await import(${JSON.stringify(import.meta.resolve(module))});
    const failed = await (async () => { ${program} })().catch(({ name, message }) => name + ': ' + message);
    process.stdout.write(String(failed));`;
  const flags = '--conditions=fieldroster-source --input-type=module';
  const { stdout } = spawnSync(
    'bash',
    [
      '-c',
      `trap '' XFSZ; ulimit -f ${bytesMax / 1024}; exec "$0" ${flags} -e "$1"`,
      process.execPath,
      script,
    ],
    { encoding: 'utf8' },
  );
  return stdout;
}

function told(path: string): string {
  return `Error: ${path} cannot be written (EFBIG: file too large, write): raise the limit of file sizes (LimitFSIZE, ulimit -f), and run the same command again`;
}

// A limit stands for a full disk, which only root could make. The system reports both from the same calls.
if (process.platform !== 'win32') {
  test('a file that cannot be written to its end is named, and stays as it was', () => {
    const path = join(folder, 'replaced');
    const replace = (text: string) =>
      failureOf(
        './private-files.ts',
        `await module.replaceFile(${JSON.stringify(path)}, (file) => file.writeFile(${text}));`,
      );
    assert.equal(replace('"before"'), 'undefined');
    assert.equal(replace(`"x".repeat(${bytesMax + 1})`), told(path));
    assert.equal(readFileSync(path, 'utf8'), 'before');
    assert.deepEqual(readdirSync(folder), ['replaced']);
  });

  test('a result file that cannot grow is named', () => {
    const path = join(folder, 'result.csv');
    const said = failureOf(
      '../import/result-file.ts',
      `await using result = await module.ResultFile.open(${JSON.stringify(path)}, 0);
      const row = { line: 2, username: 'u', outcome: 'failed', message: 'x'.repeat(${bytesMax}) };
      await result.add([row]);`,
    );
    assert.equal(said, told(path));
    assert(existsSync(path));
  });
}
