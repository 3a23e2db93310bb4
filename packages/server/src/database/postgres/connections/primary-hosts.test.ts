import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type OwnPostgres, patient, startPostgres } from '../../../../test/test-postgres.ts';
import type { TestReplica } from '../../../../test/test-replica.ts';
import { BusyError } from '../../../errors/busy-error.ts';
import { openPostgresDatabase } from '../open.ts';
import { PrimaryHistory } from './primary-history.ts';
import { FormerPrimaryError, NotPrimaryError, PrimaryHosts } from './primary-hosts.ts';

let former: OwnPostgres;
let promoted: TestReplica;
let database: string;

before(async () => {
  former = await startPostgres({ durable: false });
  database = await former.createMigratedDatabase();
  promoted = await former.startReplica();
});

after(async () => {
  await promoted.stop();
  await former.stop();
});

/** Returns the URL of both servers, the original primary first. */
function urlOfBoth(): string {
  const { host } = new URL(database);
  return database.replace(host, `${host},${new URL(promoted.urlOf(database)).host}`);
}

async function chosenPort(hosts: PrimaryHosts): Promise<string> {
  return new URL(await hosts.choose()).port;
}

describe('the hosts of a URL', () => {
  test('are used if they take writes, in any order', async () => {
    const { host } = new URL(database);
    const replicaFirst = database.replace(host, `${new URL(promoted.urlOf(database)).host},${host}`);
    const hosts = new PrimaryHosts(replicaFirst, patient);
    assert.equal(await chosenPort(hosts), new URL(database).port);
    await assert.rejects(
      openPostgresDatabase({ ...patient, url: promoted.urlOf(database) }),
      /takes no writes, because it is a replica/,
    );
  });

  test('are refused with the reason if none takes writes', async () => {
    const replica = promoted.urlOf(database);
    const { host } = new URL(replica);
    const hosts = new PrimaryHosts(replica.replace(host, `127.0.0.1:1,${host}`), patient);
    await assert.rejects(hosts.choose(), /ECONNREFUSED.*takes no writes/);
    await assert.rejects(hosts.choose(), AggregateError);
  });

  test('of another cluster are refused until a restart', async () => {
    const notices: string[] = [];
    const history = new PrimaryHistory({ system: '1', timeline: 1 });
    const notice = (_fields: object, message: string) => notices.push(message);
    const open = openPostgresDatabase({ ...patient, url: database, history, notice });
    await assert.rejects(open, BusyError);
    await assert.rejects(open, /restart this process/);
    assert.equal(notices.length, 1);
    assert.match(notices[0] ?? '', /restart this process/);
  });

  test('are abandoned when another one is promoted, even while the former primary still answers', async () => {
    const history = new PrimaryHistory();
    const hosts = new PrimaryHosts(urlOfBoth(), { ...patient, history });
    const opened = await openPostgresDatabase({ ...patient, url: urlOfBoth(), history });
    assert.equal(await chosenPort(hosts), new URL(database).port);
    await opened.tenants.insertTenant('before');
    await promoted.promote();
    await hosts.checkHosts();
    // The connections to the former primary still exist; each is closed at its next use.
    await untilDone(() => opened.tenants.insertTenant('after'));
    assert.equal(await chosenPort(hosts), new URL(promoted.urlOf(database)).port);
    await opened.close();
    const atFormer = await openPostgresDatabase({ ...patient, url: database });
    assert.equal(await atFormer.tenants.findTenant('after'), undefined);
    await atFormer.close();
  });

  test('are asked for the highest timeline at a start, and a former primary is refused and counted', async () => {
    const notices: object[] = [];
    const history = new PrimaryHistory();
    const options = { ...patient, history, notice: (fields: object) => notices.push(fields) };
    const hosts = new PrimaryHosts(urlOfBoth(), options);
    assert.equal(await chosenPort(hosts), new URL(promoted.urlOf(database)).port);
    assert.equal(notices.splice(0).length, 1);
    const formerAlone = new PrimaryHosts(`${database.replace(/(127[.:\d]+)/, '$1,127.0.0.1:1')}`, options);
    await assert.rejects(formerAlone.choose(), FormerPrimaryError);
    await assert.rejects(formerAlone.choose(), NotPrimaryError);
    assert.equal(formerAlone.refusals, 2);
    assert.equal(notices.length, 1, 'it is not logged with every attempt');
    await assert.rejects(openPostgresDatabase({ ...patient, url: database, history }), /former primary/);
  });

  test('lose the connections that a pooler may have led back to a former primary, until it leads to the new one', async () => {
    const pooler = 'postgres://pooler.internal/fieldroster';
    const hosts = new PrimaryHosts(pooler, patient);
    const [toNew, toFormer] = [promoted.urlOf(database), database].map(
      (connectionString) => new pg.Client({ connectionString }),
    );
    assert.ok(toNew !== undefined && toFormer !== undefined);
    await Promise.all([toNew.connect(), toFormer.connect()]);
    const timeline = await hosts.admit(toNew, pooler);
    assert.equal(hosts.accepts(timeline, pooler), true);
    await assert.rejects(hosts.admit(toFormer, pooler), FormerPrimaryError);
    assert.equal(hosts.accepts(timeline, pooler), false);
    assert.equal(hosts.accepts(timeline, 'postgres://another.internal/fieldroster'), true);
    assert.equal(await hosts.admit(toNew, pooler), timeline);
    assert.equal(hosts.accepts(timeline, pooler), true);
    await Promise.all([toNew.end(), toFormer.end()]);
  });
});

/** Repeats the work, because a connection that turns out to lead to a former primary fails its request. */
async function untilDone(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof BusyError)) throw error;
      await delay(20);
    }
  }
}
