import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { freePort } from '../src/workers/free-port.ts';
import { reservePort } from './reserve-port.ts';

const modulePath = JSON.stringify(new URL('./reserve-port.ts', import.meta.url).href);

/** Reserves the first of the offered ports that no test has, in another process. */
async function reserveElsewhere(...offered: readonly number[]): Promise<number> {
  const program = `const { reservePort } = await import(${modulePath});
const offered = ${JSON.stringify(offered)};
console.log(await reservePort(async () => offered.shift()));`;
  const words = ['--conditions=fieldroster-source', '--input-type=module', '--eval', program];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return Number(printed);
}

/** Other tests that run now may take a free port at any moment, so several are offered. */
const freePorts = (): Promise<number[]> =>
  Promise.all(Array.from({ length: 8 }, () => freePort('127.0.0.1')));

test('a reserved port is given to no other test of any process, although nothing listens on it', async () => {
  const reserved = await reservePort();
  const others = await freePorts();
  const given = await reserveElsewhere(reserved, ...others);
  assert(others.includes(given), `${given} is none of ${others}`);
});

test('a reserved port is free again when its process has ended', async () => {
  const offered = await freePorts();
  const reserved: number[] = [];
  for (const port of offered) reserved.push(await reserveElsewhere(port));
  assert(offered.includes(await reservePort(async () => reserved.shift() ?? 0)));
});

test('servers can listen on a reserved port one after the other', async () => {
  const port = await reservePort();
  for (let starts = 0; starts < 2; starts++) {
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
  }
});
