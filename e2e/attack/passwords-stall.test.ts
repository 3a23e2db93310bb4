import assert from 'node:assert/strict';
import { type ClientRequest, request } from 'node:http';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { issueApplication } from '@fieldroster/server/admin';
import { atScale, fullScale } from '../../scripts/testing/full-scale.ts';
import { describeOnEachEngine } from '../each-engine.ts';
import { openProvisioned, type Provisioned } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { type Credentials, SignedClient } from '../signed-client.ts';

/** Simultaneous checks by the tenant that imported costly hashes. */
const costlyChecks = atScale({ bounded: 9, full: 50 });
const victimChecks = atScale({ bounded: 3, full: 100 });

/** Applications of one tenant that send passwords at the same time, and how many each has in flight. */
const applications = atScale({ bounded: 20, full: 50 });
const passwordsOfEach = 4;

const salt = 'c2l4dGVlbiBieXRlcyBvaw';
const tag = 'A'.repeat(43);

/** A hash beyond the limits, as a database may contain it. Each check takes 2.65 s on the attackers' machine. */
const storedBefore = `$argon2id$v=19$m=262144,t=10,p=1$${salt}$${tag}`;
/** The costliest hash that is still accepted. */
const costliest = `$argon2id$v=19$m=262144,t=1,p=1$${salt}$${tag}`;

const tooCostly = [
  storedBefore,
  `$2b$14$${'a'.repeat(53)}`,
  `$scrypt$ln=17,r=8,p=4$${salt}$${tag}`,
  `$pbkdf2-sha512$i=2000000$${salt}$${tag}`,
];

const path = '/user/password/check';
const usernameOf = (index: number) => `costly.${index}`;

describeOnEachEngine((provision, engine) => {
  // Password checks wait in queues of the server, whichever engine it uses.
  if (engine !== 'SQLite' && !fullScale) return;

  test('hashes that would take seconds to check are refused', async () => {
    await withServer(await provision(0), async ({ attacker }) => {
      const users = tooCostly.map((password_hash, index) => ({ username: usernameOf(index), password_hash }));
      const { data } = await attacker.call('POST', '/users/batch', { users });
      const { failed, results } = data as { failed: number; results: { message: string }[] };
      assert.equal(failed, tooCostly.length);
      for (const { message } of results) assert.match(message, /password_hash is not accepted: .* is \d+; /);
    });
  });

  test(`${costlyChecks} checks of one tenant's costly hashes do not keep another tenant's login waiting`, async (t) => {
    const directory = await provision(0);
    await withServer(directory, async ({ attacker, victim }) => {
      const usual = await timeLogins(victim);
      await attacker.call('POST', '/users/batch', { users: costlyUsers(costliest) });
      if (fullScale) await plantHashes(directory, storedBefore);
      const { attack, attacked } = await untilServedFirst(attacker, victim);
      t.diagnostic(
        `figure: p99 of another tenant's login ${p99(attacked)} ms under attack, ${p99(usual)} ms before; ` +
          `median ${median(attacked)} ms, ${median(usual)} ms`,
      );
      if (fullScale) assert.ok(p99(attacked) <= 2 * p99(usual), 'twice the usual time');
      attacker.close();
      await attack;
    });
  });

  /** Attacks until the victim is served before the attack is over. On a busy machine, the first attacks may end too early. */
  async function untilServedFirst(attacker: SignedClient, victim: SignedClient) {
    for (let round = 1; ; round += 1) {
      let finished = 0;
      const attack = Promise.allSettled(
        Array.from({ length: costlyChecks }, async (_, index) => {
          await attacker.call('POST', path, { username: usernameOf(index), password: 'wrong' });
          finished += 1;
        }),
      );
      const attacked = await timeLogins(victim);
      // If all tenants shared a queue, each login of the victim would wait for all of these checks, in every round.
      if (finished < costlyChecks) return { attack, attacked };
      assert.ok(round < 5, 'the attack was over before the other tenant was served');
      await attack;
    }
  }

  test(`${applications} applications of one tenant do not take another tenant's turns`, async (t) => {
    const directory = await provision(0);
    const many = await issueMany(directory, applications);
    await withServer(directory, async ({ server, victim }) => {
      const clients = many.map((credentials) => new SignedClient(server.url, credentials));
      let finished = 0;
      const begun = Promise.withResolvers<void>();
      const attack = clients.flatMap((client, application) =>
        Array.from({ length: passwordsOfEach }, async (_, index) => {
          await client.call('POST', '/user', { username: `${application}.${index}`, password: 'p' });
          finished += 1;
          begun.resolve();
        }),
      );
      await begun.promise;
      for (let login = 0; login < passwordsOfEach - 1; login += 1) await timeLogins(victim, 1);
      const inTime = finished;
      await Promise.all(attack);
      for (const client of clients) client.close();
      t.diagnostic(
        `figure: ${inTime} of ${attack.length} passwords were hashed before ${passwordsOfEach - 1} logins`,
      );
      // If all applications took turns, each login would wait for a password of every one.
      assert.ok(inTime < attack.length / 2, `${inTime} of ${attack.length} passwords came first`);
    });
  });

  test('checks whose callers have disconnected are dropped', async (t) => {
    await withServer(await provision(0), async ({ attacker, server }) => {
      await attacker.call('POST', '/users/batch', { users: costlyUsers(costliest) });
      const sent = Array.from({ length: costlyChecks }, (_, index) => {
        const call = attacker.sign('POST', path, { username: usernameOf(index), password: 'wrong' });
        return sendOnly(server.port, call.headers, call.body ?? '');
      });
      await Promise.all(sent.map(({ written }) => written));
      // The server accepts and answers these after it has read what was sent before.
      for (let request = 0; request < 2; request += 1) assert.ok((await fetch(`${server.url}/healthz`)).ok);
      for (const { outgoing } of sent) outgoing.destroy();
      const dropped = () => server.output.split('the caller disconnected').length - 1;
      const callsEnded = () => server.output.split('"operation":"check-password"').length - 1;
      while (callsEnded() < costlyChecks) {
        assert.ok(server.running);
        await delay(50);
      }
      t.diagnostic(`figure: ${dropped()} of ${costlyChecks} checks were dropped`);
      // A check that has begun runs to its end; one or two run at once.
      assert.ok(dropped() >= costlyChecks - 6, `${dropped()} were dropped`);
    });
  });
});

interface Tenants {
  readonly server: ServerProcess;
  readonly attacker: SignedClient;
  readonly victim: SignedClient;
}

async function withServer(directory: Provisioned, work: (tenants: Tenants) => Promise<void>): Promise<void> {
  const credentials = await issueForOtherTenant(directory);
  const server = await ServerProcess.start(directory);
  const attacker = new SignedClient(server.url, directory.credentials, costlyChecks);
  const victim = new SignedClient(server.url, credentials);
  try {
    await victim.call('POST', '/user', { username: 'victim', password: 'right' });
    await work({ server, attacker, victim });
    assert.deepEqual(server.errorLines, []);
  } finally {
    attacker.close();
    victim.close();
    await server.kill();
    await directory.remove();
  }
}

async function issueForOtherTenant(provisioned: Provisioned): Promise<Credentials> {
  const directory = await openProvisioned(provisioned);
  await directory.database.tenants.insertTenant('victim');
  const issued = await issueApplication(directory, { name: 'victim', tenant: 'victim', scope: 'write' });
  await directory.database.close();
  return issued;
}

/** Issues more applications for the attacker's tenant. */
async function issueMany(provisioned: Provisioned, count: number): Promise<Credentials[]> {
  const directory = await openProvisioned(provisioned);
  const issued: Credentials[] = [];
  for (let index = 0; index < count; index += 1) {
    issued.push(
      await issueApplication(directory, { name: `more ${index}`, tenant: 'default', scope: 'write' }),
    );
  }
  await directory.database.close();
  return issued;
}

function costlyUsers(password_hash: string) {
  return Array.from({ length: costlyChecks }, (_, index) => ({ username: usernameOf(index), password_hash }));
}

/** Writes a costly hash for these users to the database, because the interface would refuse it. */
async function plantHashes(directory: Provisioned, hash: string): Promise<void> {
  const { database } = await openProvisioned(directory);
  const { id: tenantId = 0n } = (await database.tenants.findTenant('default')) ?? {};
  await database.write(tenantId, undefined, async ({ users }) => {
    for (let index = 0; index < costlyChecks; index += 1) {
      const user = await users.findCredentials(usernameOf(index));
      await users.replacePasswordHash(user?.id ?? 0n, user?.passwordHash ?? '', hash);
    }
    return { result: undefined, audit: { operation: 'test', changes: {} } };
  });
  await database.close();
}

/** Logs in repeatedly; returns each duration in milliseconds. */
async function timeLogins(client: SignedClient, count = victimChecks): Promise<number[]> {
  const tookMs: number[] = [];
  for (let login = 0; login < count; login += 1) {
    const startedMs = performance.now();
    const { code } = await client.call('POST', path, { username: 'victim', password: 'right' });
    assert.equal(code, 0);
    tookMs.push(Math.round(performance.now() - startedMs));
  }
  return tookMs.sort((a, b) => a - b);
}

function p99(sorted: readonly number[]): number {
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0;
}

function median(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function sendOnly(
  port: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): { outgoing: ClientRequest; written: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const outgoing = request({ host: '127.0.0.1', port, method: 'POST', path, headers });
  outgoing.on('error', () => {});
  outgoing.end(body, resolve);
  return { outgoing, written: promise };
}
