import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sayBackupProblem } from './zh/backup-problems.ts';

test('the reason why a backup cannot be verified is said in Chinese, with the original beside it', () => {
  for (const [original, message] of [
    ['there is no file /backups/x.backup; correct the path', /^备份文件不存在/],
    [
      '/backups/x.backup is damaged or truncated (unexpected end of file); nothing was restored',
      /^备份文件已损坏/,
    ],
    ['the database that /backups/x.backup restores has faults: no page 7; use another backup', /有错误/],
    ['the server was stopped before it ended; verify it again', /^服务器在验证完成之前停止/],
    ["ENOSPC: no space left on device, write '/backups'", /^无法完成验证（磁盘已满）。$/],
    ['something nobody foresaw', /^无法完成验证。$/],
  ] as const) {
    const said = sayBackupProblem(original);
    assert.match(said.message, message);
    assert.doesNotMatch(said.message.replaceAll('Fieldroster', ''), /[a-z]/i);
    assert.equal(said.original, original);
  }
});
