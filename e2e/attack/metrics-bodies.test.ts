import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { metricsUrl } from '../metrics/scrape.ts';
import { provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';

const connections = 50;
const manyChunks = Buffer.from('1\r\nx\r\n'.repeat(10_000));

/** Sends a body in chunks of one byte until the connection is closed; returns the answer, which a reset may cut off. */
async function sendChunks(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let answer = '';
  socket
    .on('error', () => {})
    .on('data', (text: string) => {
      answer += text;
    });
  // `once` of node:events would reject with the error of a reset.
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write('POST /metrics HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  const send = () => {
    while (!socket.destroyed && socket.write(manyChunks));
    socket.once('drain', send);
  };
  send();
  await closed;
  return answer;
}

// The metrics are served by the event loop that serves the operations, whichever engine they use.
test(`${connections} bodies in chunks of one byte, sent where metrics are served, are not read`, async () => {
  const directory = await provisionDirectory(0);
  const server = await ServerProcess.start(directory, '--metrics', '127.0.0.1:0');
  try {
    const url = await metricsUrl(server);
    const port = Number(new URL(url).port);
    const answers = await Promise.all(Array.from({ length: connections }, () => sendChunks(port)));
    assert.ok(
      answers.some((answer) => answer !== ''),
      'a reset overtook every answer',
    );
    for (const answer of answers) assert.match(answer, /^(?:HTTP\/1\.1 400 .*send no body\n$|$)/s);
    assert.equal((await fetch(url)).status, 200);
  } finally {
    await server.kill();
    await directory.remove();
  }
});
