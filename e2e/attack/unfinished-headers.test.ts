import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { AttackConnection } from './attack-connection.ts';
import { forgetPeak, mebibyte, peakMemoryOf } from './process-memory.ts';

/** At full size, as many as `--connections-max` allows by default. */
const connections = atScale({ bounded: 6_000, full: 16_384 });

/** The server must close some of the connections even at the smaller size. */
const grownBytesMax = atScale({ bounded: 150, full: 200 }) * mebibyte;

const openedAtOnce = 50;
const line = 'GET /user HTTP/1.1\r\n';

/** As many headers as the server accepts, as large as they may be, without the empty line at their end. */
const fields = Array.from({ length: 199 }, (_, index) => `X-${index}: ${'x'.repeat(70)}\r\n`).join('');
const manyLines = line + fields;

const attacks: Readonly<Record<string, string>> = {
  'one header of 16 KB': `${line}X: ${'x'.repeat(16_000)}`,
  '199 headers of 80 bytes': manyLines,
  'the same after a complete request': `GET /none HTTP/1.1\r\n\r\n${manyLines}`,
  'as many trailers after a body': `POST /user HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${fields}`,
};

/** How long the server has for its checks after the last header. */
const settledMs = 1_000;

let directory: Provisioned;

before(async () => {
  directory = await provisionDirectory(1);
});

after(() => directory.remove());

for (const [label, bytes] of Object.entries(attacks)) {
  test(`${connections} connections that begin ${label} and never end take bounded memory`, async (t) => {
    const server = await ServerProcess.start(directory, '--connections-max', String(connections + 1));
    const opened: AttackConnection[] = [];
    try {
      assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
      forgetPeak(server.pid);
      const usual = peakMemoryOf(server.pid);
      while (opened.length < connections) {
        const count = Math.min(openedAtOnce, connections - opened.length);
        const more = await Promise.all(
          Array.from({ length: count }, () => AttackConnection.open(server.port)),
        );
        await Promise.all(more.map((connection) => connection.send(bytes)));
        opened.push(...more);
      }
      // The server answers this after it has read what was sent before.
      assert.equal((await fetch(`${server.url}/healthz`)).status, 200, 'another client is answered');
      const closed = /connections closed so far: their clients sent a part of their headers/;
      while (!closed.test(server.output)) {
        assert.ok(server.running);
        await delay(20);
      }
      await delay(settledMs);
      const grown = peakMemoryOf(server.pid) - usual;
      t.diagnostic(`figure: ${Math.round(grown / mebibyte)} MiB more at the peak`);
      assert.ok(grown < grownBytesMax, `${grown} bytes more`);
    } finally {
      for (const connection of opened) connection.close();
      await server.kill();
    }
  });
}
