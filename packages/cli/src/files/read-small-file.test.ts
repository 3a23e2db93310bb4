import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { collect, startCommand, temporaryFolder } from '../../test/run-command.ts';
import { readConfigFile } from '../config/config-file.ts';
import { withSecretFiles } from './secret-files.ts';

const folder = temporaryFolder();
const mebibyte = 1024 * 1024;

describe('a file of settings or of a secret', () => {
  test('is read up to 1 MiB, and a larger one is refused, as is a device without an end', () => {
    const path = join(folder, 'large.toml');
    writeFileSync(path, 'port = 1\n'.padEnd(mebibyte, '#'), { mode: 0o600 });
    assert.equal(readConfigFile(path).settings.port?.text, '1');
    writeFileSync(path, 'port = 1\n'.padEnd(mebibyte + 1, '#'));
    for (const large of [path, '/dev/zero']) {
      const refusal = { name: 'UsageError', message: /, which is larger than 1 MiB; correct the path$/ };
      assert.throws(() => readConfigFile(large), refusal);
      const environment = { FIELDROSTER_APP_SECRET_FILE: large };
      assert.throws(() => withSecretFiles(environment, ['FIELDROSTER_APP_SECRET']), refusal);
    }
  });

  test('is waited for in a pipe that nobody writes to, and the command says so', async (t) => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', ['-m', '600', pipe]);
    const child = startCommand(['config', 'check', '--config', pipe]);
    t.after(() => child.kill('SIGKILL'));
    const result = collect(child);
    const [said] = await once(child.stderr ?? assert.fail(), 'data');
    assert.equal(
      said,
      `fieldroster: ${pipe} is a pipe; waiting until a process has written to it and closed it\n`,
    );
    await writeFile(pipe, 'port = 7777\n');
    const { exitCode, stdout } = await result;
    assert.equal(exitCode, 0);
    assert.match(stdout, /^port +7777 +port in /m);
  });
});
