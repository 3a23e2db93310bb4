import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ConsoleBrowser, owner } from '../../test/console-browser.ts';
import { reservePort } from '../../test/reserve-port.ts';
import { startTestServer, type TestServer } from '../../test/test-server.ts';

/** Takes six bytes a character in JSON, so that the system's buffers have room for a part of the answer only. */
const address = '\u0001'.repeat(1_000);
const storeCount = 6_000;
const storesAtOnce = 1_000;

const storeOf = (code: string) => ({ code, name: 'n', address });
const codes = Array.from({ length: storeCount }, (_, index) => `S${String(index).padStart(5, '0')}`);
const whole = envelopeOf(codes);

function envelopeOf(listed: readonly string[]): string {
  return JSON.stringify({ code: 0, message: '', data: { stores: listed.map(storeOf) } });
}

/** Returns the target that lists the stores of a new user, who has the first of them. */
async function userWith(server: TestServer, count: number): Promise<string> {
  const id = await server.createUser(`has-${count}`, { store_codes: codes.slice(0, count) });
  return `/user/store?user_id=${id}`;
}

async function startFilled(port = 0): Promise<{ server: TestServer; target: string }> {
  const started = await startTestServer({ settings: { port } });
  for (let start = 0; start < storeCount; start += storesAtOnce) {
    const rows = codes
      .slice(start, start + storesAtOnce)
      .map((code) => ({ tenant_id: started.tenantId, ...storeOf(code) }));
    await started.db.insertInto('store').values(rows).execute();
  }
  return { server: started, target: await userWith(started, storeCount) };
}

/** Asks for the stores, and reads no more of the answer than its headers. */
async function begin({ server, target }: { server: TestServer; target: string }): Promise<IncomingMessage> {
  const { headers } = server.sign('GET', target);
  const asked = request({ port: server.port, path: target, headers }).end();
  const [response]: IncomingMessage[] = await once(asked, 'response');
  assert(response !== undefined);
  return response;
}

let filled: Awaited<ReturnType<typeof startFilled>>;

before(async () => {
  filled = await startFilled();
});

after(() => filled.server.close());

test('more than 200 stores are sent as they are read, without a length', async () => {
  for (const count of [201, storeCount]) {
    const target = count === storeCount ? filled.target : await userWith(filled.server, count);
    const { headers, text: body } = await filled.server.succeed('GET', target);
    assert.equal(body, envelopeOf(codes.slice(0, count)));
    assert.deepEqual([headers['content-length'], headers['transfer-encoding']], [undefined, 'chunked']);
  }
});

test('200 are sent as a whole, with their length', async () => {
  const target = await userWith(filled.server, 200);
  const { headers, text: body } = await filled.server.succeed('GET', target);
  assert.equal(body, envelopeOf(codes.slice(0, 200)));
  assert.equal(headers['content-length'], String(Buffer.byteLength(body)));
});

test('an operator gets them from the console', async () => {
  const page = new ConsoleBrowser(filled.server);
  await page.join('ada', owner);
  const { data, headers } = await page.succeed('GET', `/tenants/${filled.server.tenantId}${filled.target}`);
  assert.deepEqual(JSON.parse(JSON.stringify(Reflect.get(data, 'stores'))), codes.map(storeOf));
  assert.equal(headers.get('content-length'), null);
});

test('stores that are removed while the answer is sent are left out of a complete answer', async () => {
  const gone = codes.slice(-500);
  const response = await begin(filled);
  const { server } = filled;
  await server.db.deleteFrom('user_store').where('store_code', 'in', gone).execute();
  await server.db.deleteFrom('store').where('code', 'in', gone).execute();
  assert.equal(await text(response), envelopeOf(codes.slice(0, -500)));
});

test('an answer in progress is sent whole before the server stops', async (t) => {
  const port = await reservePort();
  const started = await startFilled(port);
  t.after(() => started.server.close());
  const response = await begin(started);
  const stopped = started.server.close();
  while (await accepts(port)) await delay(10);
  assert.equal(await text(response), whole);
  await stopped;
});

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const accepted = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return accepted;
}

test('a client sees that its answer is incomplete if the stores can no longer be read, and the log says why', async (t) => {
  const { server, target } = await startFilled();
  t.after(() => server.close());
  const response = await begin({ server, target });
  await server.db.schema.alterTable('store').renameTo('lost').execute();
  const read: Buffer[] = [];
  await assert.rejects(
    async () => {
      for await (const chunk of response) read.push(chunk);
    },
    { code: 'ECONNRESET' },
  );
  const received = Buffer.concat(read).toString();
  assert.ok(received.length > 0 && received.length < whole.length && whole.startsWith(received));
  const id = response.headers['x-request-id'];
  const lines = server.logLines.map((line) => JSON.parse(line)).filter((line) => line.request_id === id);
  assert.deepEqual(
    lines.map(({ level, msg }) => [level, msg]),
    [
      [30, 'request'],
      [50, 'an answer broke off in the middle'],
    ],
  );
  assert.match(lines[1].cause, /store/);
});
