import assert from 'node:assert/strict';
import { test } from 'node:test';
import { provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { AttackConnection } from './attack-connection.ts';
import { LongestWait, wordsOf } from './longest-wait.ts';

/** As many as may wait on a connection, with the one that is answered first. */
const requests = 51;

for (const address of ['10.1.1.1', 'fd00::1']) {
  test(`a thousand trusted proxies like ${address} in each request keep no other client waiting`, async (t) => {
    const directory = await provisionDirectory(1);
    const server = await ServerProcess.start(directory, '--trust-proxy', 'loopback,10.0.0.0/8,fd00::/8');
    const other = new LongestWait(server);
    try {
      await other.learnIdle();
      const chain = Array.from({ length: Math.floor(15_000 / (address.length + 1)) }, () => address).join(
        ',',
      );
      const request = `GET /user HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${chain}\r\n\r\n`;
      const attack = await AttackConnection.open(server.port);
      let answers = '';
      attack.socket.on('data', (part: string) => {
        answers += part;
      });
      const ended = new Promise((resolve) => attack.socket.once('end', resolve));
      const last = request.replace('Host: x', 'Host: x\r\nConnection: close');
      const sent = attack.send(request.repeat(requests - 1) + last).then(() => ended);
      const longest = await other.during(sent, 20);
      t.diagnostic(`figure: ${address}: ${wordsOf(longest)}`);
      assert.equal(answers.match(/"code":1011\b/g)?.length, requests, 'each is answered');
      assert.ok(!other.isTooLong(longest), `${wordsOf(longest)} before another client's answer`);
    } finally {
      other.close();
      await server.kill();
      await directory.remove();
    }
  });
}
