import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fullScale } from '../../scripts/testing/full-scale.ts';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { countSignedWrites } from '../read-database.ts';
import { RetryingClient } from '../retrying-client.ts';
import { SeededRandom } from '../seeded-random.ts';
import { defaultDatabaseLimits, ServerProcess } from '../server-process.ts';
import { type Envelope, type SignedCall, SignedClient } from '../signed-client.ts';
import { type SendWrite, WriteLoad } from '../write-load.ts';
import { PatroniCluster } from './patroni-cluster.ts';
import { findPatroniPrograms, type PatroniPrograms, patroniIsMissing } from './patroni-programs.ts';

const failovers = Number(process.env.FIELDROSTER_E2E_ROUNDS ?? 10);
/** The shortest that Patroni recommends. */
const ttlSeconds = 20;
const nodeCount = 2;
const writersOfEach = 4;
const databaseName = 'fieldroster';

const programs = findPatroniPrograms();
if (programs === undefined) console.error(`NOT TESTED: failovers of Patroni, because ${patroniIsMissing}`);
else if (!fullScale)
  console.error('NOT TESTED: failovers of Patroni, because they take minutes; npm run test:faults runs them');
else {
  describe('with synchronous replication', () => testSynchronous(programs));
  describe('with asynchronous replication', () => testAsynchronous(programs));
}

/** A cluster with the nodes that use it. */
interface Service {
  readonly cluster: PatroniCluster;
  readonly directory: Provisioned;
  readonly nodes: readonly ServerProcess[];
  readonly clients: readonly SignedClient[];
}

function serve(chosen: PatroniPrograms, synchronous: boolean): () => Service {
  let service: Service;
  let started: { cluster?: PatroniCluster; directory?: Provisioned; nodes: ServerProcess[] };

  before(async () => {
    started = { nodes: [] };
    const cluster = await PatroniCluster.start(chosen, { synchronous, ttlSeconds });
    started.cluster = cluster;
    const directory = await provisionDirectory(200, await cluster.createDatabase(databaseName));
    started.directory = directory;
    for (let count = 0; count < nodeCount; count++)
      started.nodes.push(await ServerProcess.start(directory, ...defaultDatabaseLimits));
    const clients = started.nodes.map(({ url }) => new SignedClient(url, directory.credentials));
    service = { cluster, directory, nodes: started.nodes, clients };
  });

  after(async () => {
    for (const client of service?.clients ?? []) client.close();
    for (const node of started.nodes) await node.kill();
    await started.directory?.remove();
    await started.cluster?.stop();
  });
  return () => service;
}

/** How the leader's role moves. */
type Failover =
  /** The leader is killed. */
  | 'kill'
  /** The leader is killed after its replicas have received nothing for a second. */
  | 'kill with replicas behind'
  /** Patroni's command moves the role. */
  | 'switchover';

const kinds: readonly Failover[] = Array.from({ length: failovers }, (_, round) => {
  if (round === failovers - 1) return 'switchover';
  return round % 2 === 0 ? 'kill' : 'kill with replicas behind';
});

function testSynchronous(chosen: PatroniPrograms): void {
  const serviceOf = serve(chosen, true);

  test(`${failovers} failovers lose no acknowledged write, and the nodes serve again by themselves`, async (t) => {
    const { cluster, directory, nodes, clients } = serviceOf();
    const random = SeededRandom.ofRun();
    t.diagnostic(`seed ${random.seed}`);
    const load = new WriteLoad(directory, random);
    for (const [round, kind] of kinds.entries()) {
      const writing = new Writing(clients, (writer, send, { continues }) =>
        load.runWriter({ writer, mark: `${round}-${writer}`, send, goesOn: continues }),
      );
      await writing.until(random.integer(50, 300));
      await failOver(cluster, kind);
      await writing.until(50);
      await writing.stop();
      await untilReady(clients);
      for (const node of nodes) assert.ok(node.running, 'a node has ended');
      const lost = load.acknowledged - (await countWrites(serviceOf()));
      assert.equal(lost, 0, 'the database has one audit row for each acknowledged write');
      await verifyState(load, clients);
      report(t, `${round + 1}, ${kind}`, writing, lost);
      await cluster.untilWhole();
    }
    t.diagnostic(`figure: ${failovers} failovers, ${load.acknowledged} writes acknowledged, lost 0`);
    const errors = nodes.flatMap(({ errorLines }) => errorLines);
    // A write that was committing when the leader died, if no other leader took over within five seconds.
    const others = errors.filter((line) => !line.includes('OutcomeUnknownError'));
    assert.deepEqual(others, []);
    t.diagnostic(`figure: ${errors.length} answers of 1500, which say that the outcome is unknown`);
  });
}

function testAsynchronous(chosen: PatroniPrograms): void {
  const serviceOf = serve(chosen, false);

  for (const kind of ['kill', 'kill with replicas behind'] as const) {
    test(`a failover leaves nodes that serve again by themselves: ${kind}`, async (t) => {
      const { cluster, directory, clients } = serviceOf();
      const load = new WriteLoad(directory, SeededRandom.ofRun());
      const countedBefore = await countWrites(serviceOf());
      // Writes that create users do not depend on earlier ones, which may be lost.
      const writing = new Writing(clients, async (writer, send, { continues }) => {
        const mark = `${kind}-${writer}`;
        for (let count = 0; continues(); count++) await send(load.createUser(`${mark}-${count}`).call);
      });
      await writing.until(300);
      await failOver(cluster, kind);
      await writing.until(50);
      await writing.stop();
      await untilReady(clients);
      const stored = (await countWrites(serviceOf())) - countedBefore;
      report(t, `asynchronous, ${kind}`, writing, writing.acknowledged - stored);
      await cluster.untilWhole();
    });
  }
}

type RunWriter = (writer: number, send: SendWrite, writing: Writing) => Promise<void>;

/** Writers on every node, which resend each write until its outcome is known. */
class Writing {
  acknowledged = 0;
  /** The longest time without an acknowledged write, in milliseconds. */
  longestGapMs = 0;
  /** Whether the writers should send another write. */
  readonly continues = () => this.#goesOn;
  readonly #ended: Promise<unknown>;
  #goesOn = true;
  #acknowledgedAtMs = performance.now();

  constructor(clients: readonly SignedClient[], run: RunWriter) {
    const runs = clients.flatMap((client, index) => {
      const retrying = new RetryingClient(client);
      const send = async (call: SignedCall): Promise<Envelope> => this.#note(await retrying.send(call));
      return Array.from({ length: writersOfEach }, (_, own) => run(index * writersOfEach + own, send, this));
    });
    this.#ended = Promise.all(runs);
    // The next wait reports its failure.
    this.#ended.catch(() => {});
  }

  /** Resolves after that many more acknowledged writes. */
  async until(count: number): Promise<void> {
    const wanted = this.acknowledged + count;
    while (this.acknowledged < wanted) await Promise.race([delay(20), this.#ended]);
  }

  /** Resolves once each writer knows the outcome of its last write. */
  async stop(): Promise<void> {
    this.#goesOn = false;
    await this.#ended;
  }

  #note(envelope: Envelope): Envelope {
    const nowMs = performance.now();
    this.acknowledged += 1;
    this.longestGapMs = Math.max(this.longestGapMs, nowMs - this.#acknowledgedAtMs);
    this.#acknowledgedAtMs = nowMs;
    return envelope;
  }
}

/** Moves the leader's role. A killed member starts again once another one leads. */
async function failOver(cluster: PatroniCluster, kind: Failover): Promise<void> {
  if (kind === 'switchover') return cluster.switchOver();
  const leader = await cluster.leader();
  if (kind === 'kill with replicas behind') {
    leader.stopSending();
    await delay(1_000);
  }
  await leader.kill();
  const next = await cluster.leader();
  assert.notEqual(next.name, leader.name);
  leader.start();
}

async function untilReady(clients: readonly SignedClient[]): Promise<void> {
  for (const client of clients) while ((await client.get('/readyz')).status !== 200) await delay(50);
}

async function countWrites({ cluster, directory }: Service): Promise<number> {
  return countSignedWrites({ ...directory, database: await cluster.leaderUrl(databaseName) });
}

async function verifyState(load: WriteLoad, [client, other]: readonly SignedClient[]): Promise<void> {
  assert.ok(client !== undefined && other !== undefined);
  await load.verifyReplays(other);
  await load.verifyUsers(client);
  await load.verifyShared(other);
}

function report(t: TestContext, title: string, { acknowledged, longestGapMs }: Writing, lost: number): void {
  const gapSeconds = (longestGapMs / 1_000).toFixed(1);
  t.diagnostic(
    `figure: ${title}: ${gapSeconds} s without an accepted write, ${acknowledged} writes acknowledged, lost ${lost}`,
  );
}
