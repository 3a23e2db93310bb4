import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { AttackConnection, unsignedHead } from './attack-connection.ts';
import { LongestWait, wordsOf, workMsMax } from './longest-wait.ts';

const connectionCount = 300;
const chunks = '1\r\nx\r\n'.repeat(10_000);
const lastChunk = '0\r\n\r\n';

/** How often each connection delivers that many chunks in a row. */
const packets = atScale({ bounded: 1, full: 5 });

/** Runs something with as many connections as the attack has. */
async function withConnections<T>(
  server: ServerProcess,
  run: (connections: readonly AttackConnection[]) => Promise<T>,
): Promise<T> {
  const connections: AttackConnection[] = [];
  try {
    while (connections.length < connectionCount) connections.push(await AttackConnection.open(server.port));
    return await run(connections);
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** Delivers bytes on every connection at the same moment, however long the client takes to send them. */
async function deliverAtOnce(server: ServerProcess, connections: readonly AttackConnection[], bytes: string) {
  server.signal('SIGSTOP');
  try {
    for (const connection of connections) await connection.send(bytes);
  } finally {
    server.signal('SIGCONT');
  }
}

/** Sends the end of every body. Resolves with the codes of all answers. */
async function end(connections: readonly AttackConnection[], bytes: string) {
  const codes = connections.map(async (connection) => {
    await connection.send(bytes);
    return connection.code();
  });
  return new Set(await Promise.all(codes));
}

/** Sends as many requests as the attack has, with short bodies. They cost something, too. */
async function sendShort(server: ServerProcess, connections: readonly AttackConnection[], appId: string) {
  await deliverAtOnce(server, connections, `${unsignedHead(appId, '/user', { 'Content-Length': '1' })}`);
  return end(connections, 'x');
}

interface Attack {
  readonly appId: string;
  /** Whether the chunks arrive with the headers, or once the server has read those. */
  readonly when: 'first' | 'later';
}

async function attack(
  server: ServerProcess,
  connections: readonly AttackConnection[],
  { appId, when }: Attack,
) {
  const head = unsignedHead(appId, '/user', { 'Transfer-Encoding': 'chunked' });
  if (when === 'first') await deliverAtOnce(server, connections, head + chunks);
  else for (const connection of connections) await connection.send(head);
  for (let sent = 0; sent < packets; sent++) await deliverAtOnce(server, connections, chunks);
  return end(connections, lastChunk);
}

for (const when of ['first', 'later'] as const)
  for (const isKnown of [false, true]) {
    const application = isKnown ? 'an application that exists' : 'one that does not';
    test(`${connectionCount} bodies in chunks of one byte at once, ${when} packets, hold nobody up (${application})`, async (t) => {
      const directory = await provisionDirectory(1);
      const server = await ServerProcess.start(directory);
      const other = new LongestWait(server);
      const appId = isKnown ? directory.credentials.appId : 'nobody';
      const measure = (run: (connections: readonly AttackConnection[]) => ReturnType<typeof end>) =>
        withConnections(server, async (connections) => {
          const ran = run(connections);
          return { longest: await other.during(ran, 20), codes: await ran };
        });
      try {
        await other.learnIdle();
        const usual = await measure((connections) => sendShort(server, connections, appId));
        const beginAttack = () => measure((connections) => attack(server, connections, { appId, when }));
        // The first one has V8 compile the code that it needs.
        await beginAttack();
        const { longest, codes } = await beginAttack();
        t.diagnostic(`figure: ${when} packets, ${application}: ${wordsOf(longest)}`);
        t.diagnostic(`figure: as many short bodies: ${wordsOf(usual.longest)}`);
        // Under overload, some are refused with an answer that ends the connection. One that still sends may miss it.
        for (const code of [1503, undefined]) codes.delete(code);
        assert.deepEqual([...codes], [isKnown ? 1014 : 1013], 'each gets its answer');
        const aboveUsualMs = longest.workMs - usual.longest.workMs;
        assert.ok(aboveUsualMs < workMsMax, `${wordsOf(longest)} before another client's answer`);
      } finally {
        other.close();
        await server.kill();
        await directory.remove();
      }
    });
  }
