import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atScale, fullScale } from '../../scripts/testing/full-scale.ts';
import { describeOnEachEngine } from '../each-engine.ts';
import { ServerProcess } from '../server-process.ts';
import { AttackConnection, unsignedHead } from './attack-connection.ts';
import { forgetPeak, mebibyte, peakMemoryOf } from './process-memory.ts';

const wireBytes = atScale({ bounded: 6_000_000, full: 96_000_000 });
const connections = 16;

const chunk = '1\r\nx\r\n';
const chunksAtOnce = 10_000;
const manyChunks = Buffer.from(chunk.repeat(chunksAtOnce));

/**
 * Memory that a server may use for it: twice the bytes, and some for the chunks that arrive before they are looked at.
 */
const grownBytesMax = (2 * wireBytes) / chunk.length + 140 * mebibyte;

/** Sends one body in chunks of one byte; returns the code of the answer. */
async function sendChunks(port: number, appId: string): Promise<number | undefined> {
  const connection = await AttackConnection.open(port);
  try {
    await connection.send(unsignedHead(appId, '/users/batch', { 'Transfer-Encoding': 'chunked' }));
    const times = wireBytes / connections / manyChunks.length;
    for (let sent = 0; sent < times; sent++) await connection.send(manyChunks);
    await connection.send('0\r\n\r\n');
    return await connection.code();
  } finally {
    connection.close();
  }
}

const burst = {
  connections: atScale({ bounded: 200, full: 1_000 }),
  chunks: 9_000,
  grownBytesMax: 300 * mebibyte,
};

describeOnEachEngine((provision, engine) => {
  // No body reaches the database, whichever engine it is.
  if (engine !== 'SQLite' && !fullScale) return;

  test(`${wireBytes} bytes in chunks of one byte take no more memory than their content`, async (t) => {
    const directory = await provision(1);
    const server = await ServerProcess.start(directory);
    try {
      const attacks = [
        ['an application that exists', directory.credentials.appId, 1014],
        ['one that does not', 'nobody', 1013],
      ] as const;
      for (const [name, appId, code] of attacks) {
        forgetPeak(server.pid);
        const before = peakMemoryOf(server.pid);
        const sent = Array.from({ length: connections }, () => sendChunks(server.port, appId));
        const codes = new Set(await Promise.all(sent));
        // A body without a length waits for as much memory as its operation may need, and some never get it.
        codes.delete(1503);
        assert.deepEqual([...codes], [code], 'each gets its answer');
        const grown = peakMemoryOf(server.pid) - before;
        t.diagnostic(`figure: ${engine}: ${name}: ${Math.round(grown / mebibyte)} MiB more at the peak`);
        assert.ok(grown < grownBytesMax, `${name}: ${grown} bytes more`);
      }
      assert.ok(server.running);
    } finally {
      await server.kill();
      await directory.remove();
    }
  });

  test(`the first packets of ${burst.connections} such bodies that arrive at once take little memory`, async (t) => {
    const directory = await provision(1);
    const server = await ServerProcess.start(directory);
    const connections: AttackConnection[] = [];
    try {
      for (let opened = 0; opened < burst.connections; opened++)
        connections.push(await AttackConnection.open(server.port));
      forgetPeak(server.pid);
      const before = peakMemoryOf(server.pid);
      // The packets wait in the system's buffers, as they do while a server is busy.
      server.signal('SIGSTOP');
      const head = unsignedHead('nobody', '/user', { 'Transfer-Encoding': 'chunked' });
      for (const connection of connections) await connection.send(head + chunk.repeat(burst.chunks));
      server.signal('SIGCONT');
      for (const connection of connections) await connection.send('0\r\n\r\n');
      const codes = new Set(await Promise.all(connections.map((connection) => connection.code())));
      const grown = peakMemoryOf(server.pid) - before;
      t.diagnostic(`figure: ${engine}: ${Math.round(grown / mebibyte)} MiB more at the peak`);
      // Those that may not wait in the queue are refused before their bodies are looked at.
      codes.delete(1503);
      assert.deepEqual([...codes], [1013], 'each gets its answer');
      assert.ok(grown < burst.grownBytesMax, `${grown} bytes more`);
    } finally {
      for (const connection of connections) connection.close();
      await server.kill();
      await directory.remove();
    }
  });
});
