import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Provisioned, provisionDirectory } from './provision-directory.ts';
import { ServerProcess } from './server-process.ts';
import { SignedClient, signCall } from './signed-client.ts';
import { Terminal } from './terminal.ts';

const address = /listens on (http:\/\/127\.0\.0\.1:\d+)/;

/** The readable line of a call that found nobody, without colours. */
const readableCall = /\d\d:\d\d:\d\d\.\d{3} {2}fr\w+ +query-user +1101 +[\d.]+ ms {2}.*nobody/;

const timeout = 240_000;

describe('the log of a server', () => {
  let directory: Provisioned;
  let flags: readonly string[];

  before(async () => {
    directory = await provisionDirectory(1);
    flags = ['serve', ...directory.flags, '--port', '0'];
  });

  after(() => directory.remove());

  async function queryNobody(url: string): Promise<void> {
    const client = new SignedClient(url, directory.credentials, 1);
    const { code } = await client.send(signCall(directory.credentials, 'GET', '/user?username=nobody'));
    client.close();
    assert.equal(code, 1101);
  }

  /** Starts a server on a terminal, sends it a call, stops it, and returns everything that the terminal showed. */
  async function shownOnTerminal(
    more: readonly string[],
    environment: NodeJS.ProcessEnv,
    pattern: RegExp,
  ): Promise<string> {
    const terminal = new Terminal([...flags, ...more], environment);
    try {
      const [, url = ''] = await terminal.shows(address);
      await queryNobody(url);
      await terminal.shows(pattern);
    } finally {
      await terminal.interrupt();
    }
    return terminal.text;
  }

  test('is readable on a terminal, without colours if NO_COLOR is set', { timeout }, async () => {
    const text = await shownOnTerminal(['--workers', '2'], { NO_COLOR: '1' }, readableCall);
    assert.doesNotMatch(text, /\{"level"/);
    assert.ok(!text.includes('\u001b'));
    assert.match(text, /\d {2}listening {2}url=http/);
    assert.match(text, /\d {2}stopped/);
  });

  test('has colours on a terminal that shows them', { timeout }, async () => {
    const text = await shownOnTerminal([], {}, / ms {2}.*nobody/);
    assert.ok(text.includes('\u001b[33m1101\u001b[39m'));
  });

  test('is JSON on a terminal with --log-format json', { timeout }, async () => {
    const text = await shownOnTerminal(['--log-format', 'json'], {}, /"code":1101/);
    assert.ok(!text.includes('\u001b'));
  });

  test('a failed start is text on a terminal', { timeout }, async () => {
    const server = await ServerProcess.start(directory);
    const terminal = new Terminal(['serve', ...directory.flags, '--port', String(server.port)], {});
    try {
      await terminal.shows(/^fieldroster: cannot listen on /m);
      await terminal.ended();
    } finally {
      await server.kill();
    }
    assert.doesNotMatch(terminal.text, /"level":60/);
  });

  for (const [more, pattern] of [
    [[], /^\{"level":30,"time":\d+,.*"operation":"query-user".*"code":1101,.*\}$/m],
    [['--log-format', 'pretty'], readableCall],
  ] as const) {
    test(`is as asked for in a pipe (${more.join(' ') || 'JSON by default'})`, { timeout }, async (t) => {
      const server = await ServerProcess.start(directory, ...more);
      t.after(() => server.kill());
      await queryNobody(server.url);
      assert.equal(await server.stop(), 0);
      assert.match(server.output, pattern);
      assert.ok(!server.output.includes('\u001b'));
    });
  }
});
