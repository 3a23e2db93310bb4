import assert from 'node:assert/strict';
import { test } from 'node:test';
import { provisionDirectory } from '../provision-directory.ts';
import { SeededRandom } from '../seeded-random.ts';
import { ServerProcess } from '../server-process.ts';
import { AttackConnection } from './attack-connection.ts';
import { LongestWait, wordsOf } from './longest-wait.ts';

/** As many as may wait on a connection, with the one that is answered first. */
const requests = 51;

const letters = [...'abcdefghijklmnopqrstuvwxyz'];

for (const knows of ['an unknown', 'a known']) {
  test(`thousands of parameters in each request of ${knows} application keep no other client waiting`, async (t) => {
    const directory = await provisionDirectory(1);
    const server = await ServerProcess.start(directory);
    const other = new LongestWait(server);
    try {
      await other.learnIdle();
      const random = SeededRandom.ofRun();
      // An encoded name with a plus sign has four readings.
      const query = `%61+&${Array.from({ length: 7_500 }, () => random.pick(letters)).join('&')}`;
      const appId = knows === 'a known' ? directory.credentials.appId : 'zzz';
      const request = [
        `GET /user?${query} HTTP/1.1`,
        'Host: x',
        `Authorization: cbs:${appId}:x`,
        `Timestamp: ${Math.floor(Date.now() / 1000)}`,
        'Nonce: n',
        '\r\n',
      ].join('\r\n');
      const attack = await AttackConnection.open(server.port);
      const parts: string[] = [];
      attack.socket.on('data', (part: string) => parts.push(part));
      const ended = new Promise((resolve) => attack.socket.once('end', resolve));
      const last = request.replace('Host: x', 'Host: x\r\nConnection: close');
      const sent = attack.send(request.repeat(requests - 1) + last).then(() => ended);
      const longest = await other.during(sent, 20);
      t.diagnostic(`figure: ${knows} application, seed ${random.seed}: ${wordsOf(longest)}`);
      assert.ok(!other.isTooLong(longest), `${wordsOf(longest)} before another client's answer`);
      const codes = [...parts.join('').matchAll(/"code":(\d+)/g)].map(([, code]) => code);
      const refused = knows === 'a known' ? '1001' : '1013';
      assert.deepEqual(
        codes,
        Array.from({ length: requests }, () => refused),
      );
    } finally {
      other.close();
      await server.kill();
      await directory.remove();
    }
  });
}
