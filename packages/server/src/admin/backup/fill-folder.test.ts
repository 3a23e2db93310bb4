import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { FillWork } from '../../../test/fill-worker.ts';
import { CopyUnderWayError } from '../../database/copy-session.ts';
import { aloneName } from './draft-folder.ts';
import { fillFolder } from './fill-folder.ts';

const parent = mkdtempSync(join(tmpdir(), 'fieldroster-fill-'));
after(() => rmSync(parent, { recursive: true, force: true }));

const rounds = 40;

interface Filling {
  readonly name: string;
  readonly round: number;
  readonly refused: string | undefined;
}

function nameIn(path: string): unknown {
  const database = new DatabaseSync(path);
  const row = database.prepare('select name from mark').get();
  database.close();
  return row?.name;
}

/** Lets threads work on the same new folders at the same moments, and returns what each said of each folder. */
async function race(t: TestContext, parent: string, workers: Readonly<Record<string, string>>) {
  const counts = new Int32Array(new SharedArrayBuffer(8));
  const fillings: Filling[] = [];
  for (let round = 0; round < rounds; round++) mkdirSync(join(parent, String(round)), { recursive: true });
  const threads = Object.keys(workers).length;
  const ended = Object.entries(workers).map(([name, file]) => {
    const workerData: FillWork = { parent, rounds, threads, name, counts };
    const worker = new Worker(new URL(`../../../test/${file}`, import.meta.url), { workerData });
    // A thread waits for ever for one that has failed.
    t.after(() => worker.terminate());
    worker.on('message', (filling: Filling) => fillings.push(filling));
    return once(worker, 'exit');
  });
  await Promise.all(ended);
  assert.equal(fillings.length, threads * rounds);
  return fillings;
}

test('of two fills of one folder at the same moment, one wins with both of its databases and the other says why it fails', async (t) => {
  const fillings = await race(t, parent, { one: 'fill-worker.ts', two: 'fill-worker.ts' });
  for (let round = 0; round < rounds; round++) {
    const both = fillings.filter((filling) => filling.round === round);
    const [winner, ...others] = both.filter(({ refused }) => refused === undefined);
    assert.deepEqual(others, [], 'one wins');
    const folder = join(parent, String(round));
    const names = ['fieldroster.db', 'fieldroster-bookkeeping.db'].map((file) => nameIn(join(folder, file)));
    assert.deepEqual(names, [winner?.name, winner?.name], `round ${round}`);
    for (const { refused } of both.filter((filling) => filling !== winner))
      assert.match(String(refused), /already holds data|another process is writing to/);
  }
});

test('a server that makes its database in the moment of a fill uses that of the fill, or the fill is refused', async (t) => {
  const folder = join(parent, 'with a server');
  const said = await race(t, folder, { filled: 'fill-worker.ts', served: 'start-worker.ts' });
  for (let round = 0; round < rounds; round++) {
    const [fill, start] = ['filled', 'served'].map((name) =>
      said.find((filling) => filling.round === round && filling.name === name),
    );
    assert.equal(start?.refused, undefined, `round ${round}`);
    const isFilled = fill?.refused === undefined;
    using database = new DatabaseSync(join(folder, String(round), 'fieldroster.db'));
    const tables = database.prepare("select name from sqlite_schema where name in ('mark', 'tenant')").all();
    assert.deepEqual(
      tables.map(({ name }) => name).toSorted(),
      isFilled ? ['mark', 'tenant'] : ['tenant'],
      `round ${round}: ${fill?.refused}`,
    );
    assert.equal(database.prepare('select name from tenant').get()?.name, 'served');
  }
});

for (const [label, put, problem] of [
  ['a file', (mark: string) => writeFileSync(mark, ''), 'is not a folder'],
  ['a link', (mark: string) => symlinkSync(tmpdir(), mark), 'is not a folder'],
  [
    'a folder with a file',
    (mark: string) => {
      mkdirSync(mark);
      writeFileSync(join(mark, 'notes.txt'), '');
    },
    'is not empty',
  ],
] as const)
  test(`${label} with the name of the mark is named before the work, and left alone`, async () => {
    const folder = join(parent, `named ${label}`);
    const mark = join(folder, aloneName);
    mkdirSync(folder);
    put(mark);
    let hasBegun = false;
    const fill = fillFolder(folder, { name: 'copy', verb: 'copy', what: 'the copy' }, async () => {
      hasBegun = true;
    });
    await assert.rejects(fill, {
      name: 'AdminError',
      message: `${mark} ${problem}; a copy needs this name for a moment: move it out of the folder, then copy again`,
    });
    assert.equal(hasBegun, false);
    assert.deepEqual(readdirSync(folder), [aloneName]);
  });

test('what takes the name of the mark during the work is named too', async () => {
  const folder = join(parent, 'named late');
  const mark = join(folder, aloneName);
  const fill = fillFolder(folder, { name: 'copy', verb: 'copy', what: 'the copy' }, async (draft) => {
    for (const file of ['fieldroster.db', 'fieldroster-bookkeeping.db'])
      new DatabaseSync(join(draft, file)).close();
    writeFileSync(mark, '');
  });
  await assert.rejects(fill, {
    name: 'AdminError',
    message: /alone\.0{16}\.part is not a folder; a copy needs/,
  });
  assert.deepEqual(readdirSync(folder), [aloneName]);
});

for (const [label, seconds] of [
  ['a minute', -61],
  ['a minute, even if dated ahead by a clock that has since been set back', 86_400],
] as const)
  test(`a fill that is killed in its last step keeps others out for ${label}`, async () => {
    const folder = join(parent, `killed ${seconds}`);
    const mark = join(folder, aloneName);
    mkdirSync(mark, { recursive: true });
    const fill = () =>
      fillFolder(folder, { name: 'copy', verb: 'copy', what: 'the copy' }, async (draft) => {
        for (const file of ['fieldroster.db', 'fieldroster-bookkeeping.db'])
          new DatabaseSync(join(draft, file)).close();
      });
    await assert.rejects(fill(), CopyUnderWayError);
    assert.deepEqual(readdirSync(folder), [aloneName]);
    const datedSeconds = Date.now() / 1000 + seconds;
    utimesSync(mark, datedSeconds, datedSeconds);
    await fill();
    assert.deepEqual(readdirSync(folder).toSorted(), ['fieldroster-bookkeeping.db', 'fieldroster.db']);
  });

// Elsewhere a draft has no path that stays its own.
if (process.platform === 'linux')
  test('a fill whose draft is replaced by a link to another database leaves that one alone', async () => {
    const root = mkdtempSync(join(parent, 'swapped-'));
    const [folder, precious] = [join(root, 'data'), join(root, 'precious')];
    for (const path of [folder, precious]) mkdirSync(path);
    makeDatabases(precious, 'precious');
    await fillFolder(folder, { name: 'x', verb: 'restore', what: 'x' }, async (draft) => {
      makeDatabases(draft, 'filled');
      const name = readdirSync(folder).find((each) => each.endsWith('.part')) ?? '';
      renameSync(join(folder, name), join(root, 'aside'));
      symlinkSync(precious, join(folder, name));
    });
    for (const file of databases) {
      assert.equal(nameIn(join(folder, file)), 'filled');
      assert.equal(nameIn(join(precious, file)), 'precious');
    }
  });

const databases = ['fieldroster.db', 'fieldroster-bookkeeping.db'];

function makeDatabases(folder: string, name: string): void {
  for (const file of databases) {
    using database = new DatabaseSync(join(folder, file));
    database.exec(`create table mark (name text); insert into mark values ('${name}')`);
  }
}
