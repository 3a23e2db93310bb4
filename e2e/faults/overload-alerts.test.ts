import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { issueApplication } from '@fieldroster/server/admin';
import pg from 'pg';
import { hashByArgon2 } from '../../packages/server/src/passwords/hashes/argon2.ts';
import { reservePort } from '../../packages/server/test/reserve-port.ts';
import { atScale, fullScale } from '../../scripts/testing/full-scale.ts';
import { issueManager } from '../attack/issue-manager.ts';
import { describeOnEachEngine, type Provision } from '../each-engine.ts';
import { PrometheusProcess } from '../metrics/prometheus-process.ts';
import { notTestedWithoutPrometheus, prometheusIsInstalled } from '../metrics/promtool.ts';
import { openProvisioned, type Provisioned } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { type Credentials, type SignedCall, SignedClient, signCall } from '../signed-client.ts';
import { asByDefault } from './overload-limits.ts';
import { RawHttpConnection, requestText } from './raw-http-connection.ts';

/** How long an alert's condition must last here. The shipped rules say minutes, and average over two of them. */
const lastingSeconds = atScale({ bounded: 3, full: 30 });
const idleScrapes = atScale({ bounded: 5, full: 60 });
const userCount = 100;
const password = 'the right password';

const alerts = ['Overloaded', 'WritesQueued', 'PasswordsQueued', 'PoolExhausted'] as const;
type Alert = (typeof alerts)[number];

if (prometheusIsInstalled())
  describeOnEachEngine((provision, engine) => {
    // PostgreSQL takes minutes beside other tests.
    if (fullScale || engine === 'SQLite') testAlerts(provision, engine);
  });
else console.error(notTestedWithoutPrometheus('the alerts of overload'));

function testAlerts(provision: Provision, engine: 'SQLite' | 'PostgreSQL'): void {
  let directory: Provisioned;
  let applications: readonly Credentials[];
  let server: ServerProcess;
  let prometheus: PrometheusProcess;
  let sent = 0;

  before(async () => {
    directory = await provision(1);
    applications = [directory.credentials, await issueAnother(directory)];
    const metrics = `127.0.0.1:${await reservePort()}`;
    const flags = ['--metrics', metrics, '--log-level', 'error', ...asByDefault];
    server = await ServerProcess.start(directory, ...flags);
    using client = new SignedClient(server.url, await issueManager(directory));
    const password_hash = await hashByArgon2(password);
    const users = Array.from({ length: userCount }, (_, index) => ({
      username: `user-${index}`,
      password_hash,
    }));
    assert.equal((await client.call('POST', '/users/batch', { users })).code, 0);
    prometheus = await PrometheusProcess.start([metrics], (rules) =>
      rules.replaceAll(/for: \d+m\b/g, `for: ${lastingSeconds}s`).replaceAll('[2m]', '[10s]'),
    );
  });

  after(async () => {
    await prometheus.stop();
    await server.kill();
    await directory.remove();
  });

  const sign = (method: string, target: string, content?: unknown) =>
    signCall(applications[sent++ % applications.length] ?? directory.credentials, method, target, content);
  const read = () => sign('GET', `/user?username=user-${sent % userCount}`);
  const write = () => sign('POST', '/user/stores', { username: `writer-${sent}` });
  const checkPassword = () =>
    sign('POST', '/user/password/check', { username: `user-${sent % userCount}`, password });

  /** Sends requests until the alert is raised. */
  async function raise(alert: Alert, connections: number, next: () => SignedCall): Promise<void> {
    const load = new Load(server.port, connections, next);
    await untilRaised(alert);
    await load.stop();
  }

  const untilRaised = (alert: Alert) =>
    prometheus.untilQuery(`max(ALERTS{alertname="Fieldroster${alert}",alertstate="firing"})`, '1');

  test('an idle server raises none of the alerts of overload', async () => {
    await prometheus.untilQuery(`count_over_time(fieldroster_ready[1h]) >= bool ${idleScrapes}`, '1');
    const raised = `count(count_over_time(ALERTS{alertname=~"Fieldroster(${alerts.join('|')})"}[1h]))`;
    assert.equal(await prometheus.query(raised), undefined);
  });

  test('passwords that arrive faster than they are checked raise FieldrosterPasswordsQueued', () =>
    raise('PasswordsQueued', 40, checkPassword));

  // On PostgreSQL the queue never reaches the 200 writes that suffice without refusals.
  const writers = engine === 'SQLite' ? 500 : 100;

  test('writes that wait for a lock of the database raise FieldrosterWritesQueued', async () => {
    const unlock = await lock(directory, 'share row exclusive');
    await raise('WritesQueued', writers, write).finally(unlock);
  });

  if (engine === 'PostgreSQL')
    test('calls of all kinds that wait for a lock of the database raise FieldrosterPoolExhausted', async () => {
      const unlock = await lock(directory, 'access exclusive');
      // Look-ups alone would share a few connections.
      const kinds = [read, write, checkPassword];
      const next = () => kinds[sent % kinds.length]?.() ?? read();
      await raise('PoolExhausted', 60, next).finally(unlock);
    });

  test('more requests than the event loop can handle raise FieldrosterOverloaded', async () => {
    const text = requestText(read());
    const floods = Array.from({ length: 100 }, () => new Flood(server.port, text));
    await untilRaised('Overloaded');
    for (const flood of floods) flood.stop();
  });
}

async function issueAnother(directory: Provisioned): Promise<Credentials> {
  const opened = await openProvisioned(directory);
  const issued = await issueApplication(opened, { name: 'another', tenant: 'default', scope: 'write' });
  await opened.database.close();
  return issued;
}

/** Takes a lock that users are written under, as a long write or a forgotten session does. Returns how to end it. */
async function lock({ data, database }: Provisioned, mode: string): Promise<() => Promise<void>> {
  if (database === undefined) {
    const connection = new DatabaseSync(join(data, 'fieldroster.db'), { timeout: 30_000 });
    connection.exec('begin immediate');
    return async () => connection.close();
  }
  const session = new pg.Client(database);
  await session.connect();
  await session.query('begin');
  await session.query(`lock table "user" in ${mode} mode`);
  return () => session.end();
}

/** Clients that send one request after the other until they are stopped, and do not honour `Retry-After`. */
class Load {
  readonly #port: number;
  readonly #next: () => SignedCall;
  readonly #clients: readonly Promise<void>[];
  #isStopped = false;

  constructor(port: number, connections: number, next: () => SignedCall) {
    this.#port = port;
    this.#next = next;
    this.#clients = Array.from({ length: connections }, () => this.#send());
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clients);
  }

  async #send(): Promise<void> {
    let connection = await RawHttpConnection.open(this.#port);
    while (!this.#isStopped) {
      if (connection.ended) connection = await RawHttpConnection.open(this.#port);
      await connection.send(requestText(this.#next()));
    }
    connection.close();
  }
}

const statusLine = 'HTTP/1.1 ';

/** A connection on which the same request is sent many times ahead, so that clients on one core overload a server on another. */
class Flood {
  readonly #socket: Socket;
  /** The end of what was received, in which the start of the next status line may be. */
  #end = '';

  constructor(port: number, request: string) {
    this.#socket = connect(port, '127.0.0.1').setEncoding('latin1');
    this.#socket.on('data', (part: string) => {
      const received = this.#end + part;
      this.#socket.write(request.repeat(received.split(statusLine).length - 1));
      this.#end = received.slice(1 - statusLine.length);
    });
    this.#socket.write(request.repeat(40));
  }

  stop(): void {
    this.#socket.destroy();
  }
}
