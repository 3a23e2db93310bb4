import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { UnreliableProxy } from '../../../client/test/unreliable-proxy.ts';
import { ImportBench } from '../../test/import-bench.ts';
import { collect, startCommand } from '../../test/run-command.ts';

const bench = await ImportBench.open('exported');

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`an export that ${signal} ends leaves neither a file nor a draft of one`, async (t) => {
    const { env } = bench.tenant('exported');
    const proxy = await UnreliableProxy.start(Number(new URL(env.FIELDROSTER_URL).port));
    t.after(() => proxy.close());
    proxy.treat = () => 'hold';
    const folder = join(bench.folder, signal);
    mkdirSync(folder);
    const child = startCommand(['user', 'export', join(folder, 'users.csv')], {
      env: { ...env, FIELDROSTER_URL: proxy.url },
    });
    t.after(() => child.kill('SIGKILL'));
    const ended = collect(child);
    while (proxy.dropped === 0 && child.exitCode === null) await delay(1);
    assert.match(readdirSync(folder).join(), /^users\.csv\.[0-9a-f]{16}\.new$/);
    child.kill(signal);
    const { stdout, stderr } = await ended;
    assert.deepEqual([child.signalCode, stdout, stderr], [signal, '', '']);
    assert.deepEqual(readdirSync(folder), []);
  });
}
