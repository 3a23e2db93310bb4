import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { describeOnEachEngine } from '../each-engine.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';
import { AttackConnection, unsignedHead } from './attack-connection.ts';
import { forgetPeak, mebibyte, peakMemoryOf } from './process-memory.ts';

const uploads = atScale({ bounded: 17, full: 200 });
const announcedBytes = 32 * mebibyte;
const piece = Buffer.alloc(mebibyte, ' ');

/** Half of the budget of a large machine, which one address gets, plus the server's own memory. */
const grownBytesMax = (192 + 150) * mebibyte;

/** Time within which the server must have ended an upload that it has begun to read. */
const cutWithinMs = 60_000;

/** Announces a large body and never sends its end. */
async function stall(port: number, appId: string, isOver: () => boolean): Promise<AttackConnection> {
  const connection = await AttackConnection.open(port);
  await connection.send(unsignedHead(appId, '/users/batch', { 'Content-Length': String(announcedBytes) }));
  const sendMost = async () => {
    for (let sent = 0; sent < announcedBytes - mebibyte && !isOver(); sent += mebibyte) {
      await connection.send(piece);
    }
    await connection.send(piece.subarray(1));
  };
  void sendMost();
  return connection;
}

describeOnEachEngine((provision, engine) => {
  test(`${uploads} stalled uploads keep no other client from writing`, async (t) => {
    const directory = await provision(1);
    const server = await ServerProcess.start(directory);
    const client = new SignedClient(server.url, directory.credentials, 1);
    const attackers: AttackConnection[] = [];
    let over = false;
    try {
      forgetPeak(server.pid);
      const before = peakMemoryOf(server.pid);
      for (let count = 0; count < uploads; count++) {
        attackers.push(await stall(server.port, directory.credentials.appId, () => over));
      }
      const outcomes = new Map<string, number>();
      for (let still = 0, last = -1; still < 20; still++) {
        const { code, message } = await client.call('POST', '/user/stores', { username: `w${still}` });
        const outcome = `${code} ${message}`;
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        await delay(20);
        const sent = attackers.reduce((sum, { socket }) => sum + socket.bytesWritten, 0);
        // While the attackers can still send, the server has not read all that it will.
        if (sent !== last) still = -1;
        last = sent;
      }
      const grown = peakMemoryOf(server.pid) - before;
      t.diagnostic(`figure: ${engine}: ${Math.round(grown / mebibyte)} MiB more at the peak`);
      assert.deepEqual(
        [...outcomes.keys()],
        ['0 success'],
        `and how often: ${JSON.stringify([...outcomes])}`,
      );
      assert.ok(grown < grownBytesMax, `${grown} bytes more`);
      if (atScale({ bounded: false, full: true })) await assertCut(attackers);
    } finally {
      over = true;
      for (const attacker of attackers) attacker.close();
      client.close();
      await server.kill();
      await directory.remove();
    }
  });
});

/** Asserts that each is answered: with 1001 for being slow, or 1503 after waiting. */
async function assertCut(attackers: readonly AttackConnection[]): Promise<void> {
  const all = Promise.all(attackers.map((attacker) => attacker.code()));
  const codes = await Promise.race([all, delay(cutWithinMs, undefined, { ref: false })]);
  assert.ok(codes !== undefined, `some uploads were not cut within ${cutWithinMs} ms`);
  for (const code of codes) assert.ok(code === 1001 || code === 1503, `an upload was answered ${code}`);
}
