import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand, temporaryFolder } from '../../test/run-command.ts';

const data = join(temporaryFolder(), 'data');
const url = 'postgres://u:geheim@db.invalid/n';

const commands: readonly (readonly string[])[] = [
  ['serve', '--port', '0', '--wait-for-database', '0', '--data', data, '--database', url],
  ['migrate', '--dry-run', '--data', data, '--database', url],
  ['app', 'list', '--data', data, '--database', url],
  ['copy', '--from', data, '--to', url],
];

for (const words of commands) {
  test(`${words[0]} reaches a database on another machine without TLS only with the setting for it`, async () => {
    const { exitCode, stderr } = await runCommand(words);
    assert.equal(exitCode, 1);
    assert.match(
      stderr,
      /(?:^fieldroster: |"msg":")the database at db\.invalid would be reached without TLS; /,
    );
    assert.match(stderr, /--database-insecure yes or FIELDROSTER_DATABASE_INSECURE=yes/);
    assert.ok(!stderr.includes('geheim'));
    const flag = await runCommand([...words, '--database-insecure', 'yes']);
    const variable = await runCommand(words, { env: { FIELDROSTER_DATABASE_INSECURE: 'yes' } });
    for (const accepted of [flag, variable]) {
      assert.equal(accepted.exitCode, 1, 'there is no such machine');
      assert.ok(!accepted.stderr.includes('without TLS'), accepted.stderr);
    }
  });
}

test('no mode of TLS makes a command or the server print a warning of the driver', async () => {
  const closed = 'postgres://u:geheim@127.0.0.1:1/n?sslmode=';
  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']) {
    const place = ['--data', data, '--database', `${closed}${mode}`, '--database-insecure', 'yes'];
    for (const words of [
      ['tenant', 'list'],
      ['serve', '--port', '0', '--wait-for-database', '0'],
    ]) {
      const { stderr } = await runCommand([...words, ...place]);
      assert.match(stderr, /^(?:fieldroster: |\{)[^\n]*the database at 127\.0\.0\.1:1\/n [^\n]*\n$/, mode);
    }
  }
});
