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

/** Together larger than the reserve for small bodies of a server with the heap below, if each counts as announced. */
const smallUploads = atScale({ bounded: 1_500, full: 6_000 });

/** Bodies of these sizes follow the largest and fill what is left of the reserve. */
const fillingBytes = [8192, 1024, 128, 2].flatMap((bytes) => Array.from({ length: 40 }, () => bytes));

/** Makes the reserve for small bodies smaller than on a large machine: some 20 MiB. */
const smallHeap = { NODE_OPTIONS: '--max-old-space-size=128' };

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

/** Ways to announce a small body that never comes. None needs a secret. */
const smallAttacks: readonly SmallAttack[] = [
  {
    name: 'with a wrong signature',
    bytesMax: 64 * 1024,
    head: (appId, bytes) => unsignedHead(appId, '/user', { 'Content-Length': String(bytes) }),
  },
  {
    name: 'from a made-up proxy',
    bytesMax: 64 * 1024,
    head: (appId, bytes) =>
      unsignedHead(appId, '/user', { 'Content-Length': String(bytes), Forwarded: 'for=x' }),
  },
  {
    name: 'to the sign-in of the console',
    bytesMax: 16 * 1024,
    head: (_appId, bytes) =>
      'POST /console/api/session HTTP/1.1\r\nHost: localhost\r\nX-Fieldroster-Console: 1\r\n' +
      'Origin: http://localhost\r\nContent-Type: application/json\r\nForwarded: for=x\r\n' +
      `Content-Length: ${bytes}\r\n\r\n`,
  },
];

interface SmallAttack {
  readonly name: string;
  readonly bytesMax: number;
  readonly head: (appId: string, bytes: number) => string;
}

describeOnEachEngine((provision, engine) => {
  for (const { name, bytesMax, head } of smallAttacks) {
    test(`${smallUploads} and more small bodies that stall, ${name}, keep no other client from writing`, async () => {
      const directory = await provision(1);
      const server = await ServerProcess.start({ ...directory, environment: smallHeap });
      const client = new SignedClient(server.url, directory.credentials, 1);
      const attackers: AttackConnection[] = [];
      try {
        const sizes = [...Array.from({ length: smallUploads }, () => bytesMax), ...fillingBytes];
        for (const [count, bytes] of sizes.entries()) {
          const attacker = await AttackConnection.open(server.port);
          await attacker.send(`${head(directory.credentials.appId, bytes)}{`);
          attackers.push(attacker);
          if (count % 20 !== 0) continue;
          const { code, message } = await client.call('POST', '/user/stores', { username: `w${count}` });
          assert.equal(code, 0, `beside ${count + 1} stalled bodies: ${code} ${message}`);
        }
      } finally {
        for (const attacker of attackers) attacker.close();
        client.close();
        await server.kill();
        await directory.remove();
      }
    });
  }

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
