import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { collectResult, expectFieldroster, spawnFieldroster } from '../fieldroster-command.ts';
import { openProvisioned, provisionDirectory } from '../provision-directory.ts';
import { countSignedWrites, findDamage, readAcceptedWrites, readRows } from '../read-database.ts';
import { SeededRandom } from '../seeded-random.ts';
import { ServerProcess } from '../server-process.ts';
import { type SignedCall, SignedClient } from '../signed-client.ts';
import { WriteLoad } from '../write-load.ts';
import { compileRecorder, readTrace, recordedBy } from './disk-recorder.ts';
import { RecordedDisk } from './recorded-disk.ts';

const parent = mkdtempSync(join(tmpdir(), 'fieldroster-power-'));
after(() => rmSync(parent, { recursive: true }));

const cuts = atScale({ bounded: 12, full: 400 });
const writes = atScale({ bounded: 1_500, full: 20_000 });
const writers = 16;

interface Acknowledgement {
  /** In hexadecimal. */
  readonly signature: string;
  /** Size of the trace when the answer had arrived. */
  readonly at: number;
}

const recorder = compileRecorder(parent);
if (recorder === undefined) console.error('NOT TESTED: power cuts, because there is no C compiler (cc)');
else {
  test(`after a power cut under load, every acknowledged write exists, and none is half done (${cuts} cuts)`, async (t) => {
    const random = SeededRandom.ofRun();
    t.diagnostic(`seed ${random.seed}`);
    const directory = await provisionDirectory(100);
    const trace = join(parent, 'trace');
    const disk = new RecordedDisk(directory.data);
    const environment = recordedBy(recorder, { folder: directory.data, trace });
    const server = await ServerProcess.start({ ...directory, environment });
    const client = new SignedClient(server.url, directory.credentials, writers);
    const acknowledged: Acknowledgement[] = [];
    const send = async (call: SignedCall) => {
      let envelope = await client.send(call);
      for (; envelope.code === 1503; envelope = await client.send(call)) await delay(50);
      assert.equal(envelope.code, 0, envelope.message);
      acknowledged.push({ signature: signatureOf(call), at: statSync(trace).size });
      return envelope;
    };
    const load = new WriteLoad(directory, random);
    const goesOn = () => acknowledged.length < writes;
    await Promise.all(
      Array.from({ length: writers }, (_, writer) =>
        load.runWriter({ writer, mark: `${writer}`, send, goesOn }),
      ),
    );
    client.close();
    await server.kill();

    const calls = readTrace(trace);
    const restarts = calls.filter(
      (call) => call.kind === 'write' && call.name === 'fieldroster.db-wal' && call.offset === 0,
    );
    const answers = Array.from({ length: cuts }, () => random.pick(acknowledged).at);
    // SQLite restarts its WAL from the beginning after a checkpoint; cut right after that too.
    const ends = [...answers, ...restarts.map(({ endsAt }) => endsAt)].sort((one, other) => one - other);
    let next = 0;
    for (const [cut, end] of ends.entries()) {
      for (let call = calls[next]; call !== undefined && call.endsAt <= end; call = calls[++next])
        disk.apply(call);
      const data = join(parent, `cut-${cut}`);
      disk.cutPower(data, random);
      await verify(
        data,
        acknowledged.filter(({ at }) => at <= end),
      );
      rmSync(data, { recursive: true });
    }
    await directory.remove();
    t.diagnostic(
      `figure: ${ends.length} power cuts; of ${acknowledged.length} acknowledged writes 0 lost; ` +
        `${calls.length} changes and syncs, ${restarts.length} starts of the log`,
    );
  });

  /** Runs a command that must succeed, and checks a copy of its folder as each of several power cuts may leave it. */
  const cutDuring = async (
    t: TestContext,
    { words, folder }: { readonly words: readonly string[]; readonly folder: string },
    check: (data: string, ended: boolean) => Promise<void>,
  ) => {
    const random = SeededRandom.ofRun();
    t.diagnostic(`seed ${random.seed}`);
    mkdirSync(folder, { recursive: true });
    const disk = new RecordedDisk(folder);
    const trace = join(parent, `trace-${random.next()}`);
    const result = await collectResult(spawnFieldroster(words, recordedBy(recorder, { folder, trace })));
    assert.equal(result.exitCode, 0, result.stderr);
    const calls = readTrace(trace);
    const last = calls.length - 1;
    const chosen = new Set([...Array.from({ length: cuts }, () => random.integer(0, last)), last]);
    for (const [index, call] of calls.entries()) {
      disk.apply(call);
      if (!chosen.has(index)) continue;
      const data = join(parent, `cut-${random.next()}`);
      disk.cutPower(data, random);
      await check(data, index === last);
      rmSync(data, { recursive: true });
    }
  };

  test('after a power cut during a first start, the next start works, and a secret that was printed opens', async (t) => {
    const data = join(parent, 'first');
    const words = ['app', 'create', '--name', 'A', '--data', data];
    await cutDuring(t, { words, folder: data }, async (data, ended) => {
      const opened = await openSecrets(data);
      if (ended) assert.equal(opened, 1);
    });
  });

  test('after a power cut during a key rotation, every secret opens', async (t) => {
    const data = join(parent, 'rotated');
    await expectFieldroster('app', 'create', '--name', 'A', '--data', data);
    await cutDuring(t, { words: ['key', 'rotate', '--data', data], folder: data }, async (data) => {
      assert.equal(await openSecrets(data), 1);
    });
  });

  for (const work of ['restore', 'copy'] as const) {
    test(`after a power cut during a ${work}, its folder has no database or the whole one`, async (t) => {
      const directory = await provisionDirectory(100);
      const file = join(directory.folder, 'x.backup');
      await expectFieldroster('backup', '--to', file, ...directory.flags);
      const to = join(parent, work);
      const words =
        work === 'restore'
          ? ['restore', '--from', file, '--data', to]
          : ['copy', '--from', directory.data, '--to', to];
      await cutDuring(t, { words, folder: to }, async (data, ended) => {
        const isThere = existsSync(join(data, 'fieldroster.db'));
        if (ended) assert.ok(isThere);
        if (!isThere) return;
        const place = { data, database: undefined };
        assert.deepEqual(await findDamage(place), []);
        const [row] = await readRows(place, 'select count(*) as stores from store');
        assert.equal(row?.stores, 100n);
      });
      await directory.remove();
    });
  }
}

/** Opens the directory and each secret in it; returns the number of applications. */
async function openSecrets(data: string): Promise<number> {
  const { database, vault } = await openProvisioned({ data, database: undefined });
  try {
    const applications = await database.applications.listApplications();
    for (const { appId, secrets } of applications)
      for (const { sealed } of secrets) assert.ok(vault.open(appId, sealed));
    return applications.length;
  } finally {
    await database.close();
  }
}

function signatureOf({ headers }: SignedCall): string {
  const [, , signature = ''] = (headers.Authorization ?? '').split(':');
  return Buffer.from(signature, 'base64').toString('hex');
}

async function verify(data: string, acknowledged: readonly Acknowledgement[]): Promise<void> {
  const place = { data, database: undefined };
  const { database } = await openProvisioned(place);
  await database.close();
  const accepted = await readAcceptedWrites(place);
  const lost = acknowledged.filter(({ signature }) => !accepted.has(signature));
  assert.deepEqual(lost, [], `${lost.length} of ${acknowledged.length} acknowledged writes are lost`);
  assert.equal(await countSignedWrites(place), accepted.size, 'one audit row each');
  assert.deepEqual(await findDamage(place), []);
}
