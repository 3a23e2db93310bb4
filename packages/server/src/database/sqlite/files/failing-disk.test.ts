import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { databaseFile, openSqliteDatabase } from '../open.ts';

const parent = mkdtempSync(join(tmpdir(), 'fieldroster-disk-'));
after(() => rmSync(parent, { recursive: true }));

/** A process that makes claims until the disk fails, prints the last one and its error, and kills itself. */
const program = `
  const { openSqliteDatabase } = await import(${JSON.stringify(new URL('../open.ts', import.meta.url).href)});
  const { writeFileSync } = await import('node:fs');
  const [folder, faultFile] = process.argv.slice(1);
  const database = await openSqliteDatabase({ folder });
  let failure;
  let first = 0;
  while (failure === undefined) {
    first += 1;
    // The first write begins the log, which is a sync of its own.
    if (first === 2 && faultFile !== '') writeFileSync(faultFile, '');
    const signature = Buffer.alloc(32, first);
    await database.claims
      .make({ signature, requestId: 'r'.repeat(50_000), expiresAtSeconds: 4_000_000_000 })
      .catch((error) => { failure = error.name; });
  }
  process.stdout.write(JSON.stringify({ failure, first }));
  process.kill(process.pid, 'SIGKILL');`;

/** A process whose import fails with the disk, prints its error, and kills itself. */
const importProgram = `
  const { openSqliteDatabase } = await import(${JSON.stringify(new URL('../open.ts', import.meta.url).href)});
  const { writeFileSync } = await import('node:fs');
  const [folder, faultFile] = process.argv.slice(1);
  const database = await openSqliteDatabase({ folder });
  // The first write begins the log, which is a sync of its own.
  await database.tenants.insertTenant('first');
  const tenant = await database.tenants.findTenant('first');
  async function* roles() {
    yield [{ line: 2, id: 7n, name: 'seven' }];
    writeFileSync(faultFile, '');
  }
  const { name } = await database.importer.importRoles(tenant.id, roles()).catch((error) => error);
  process.stdout.write(JSON.stringify({ failure: name, first: 0 }));
  process.kill(process.pid, 'SIGKILL');`;

interface Ending {
  readonly failure: string;
  /** First byte of the signature whose claim failed. */
  readonly first: number;
}

function runProgram(
  folder: string,
  faultFile = '',
  env: NodeJS.ProcessEnv = {},
  shell = '',
  source = program,
): Ending {
  const node = `exec "$0" --conditions=fieldroster-source --input-type=module -e "$1" "$2" "$3"`;
  const { stdout, stderr } = spawnSync(
    'bash',
    ['-c', `${shell} ${node}`, process.execPath, source, folder, faultFile],
    { encoding: 'utf8', env: { ...process.env, ...env } },
  );
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout) as Ending;
}

async function newFolder(name: string): Promise<string> {
  const folder = join(parent, name);
  await (await openSqliteDatabase({ folder })).close();
  return folder;
}

/** Sends the request again, as a client does after an answer that says the attempt changed nothing. */
async function makeAgain(folder: string, first: number): Promise<void> {
  const database = await openSqliteDatabase({ folder });
  const claim = { signature: Buffer.alloc(32, first), requestId: 'again', expiresAtSeconds: 4_000_000_000 };
  await database.claims.make(claim).finally(() => database.close());
}

test('a write that the disk refuses is reported as busy, and is absent after a crash', async () => {
  const folder = await newFolder('full');
  const kilobytes = Math.ceil(statSync(join(folder, databaseFile)).size / 1024) + 200;
  // Writes beyond the limit fail as on a full disk.
  const { failure, first } = runProgram(folder, '', {}, `trap '' XFSZ; ulimit -f ${kilobytes};`);
  assert.equal(failure, 'BusyError');
  await makeAgain(folder, first);
});

/** Replaces the system's sync functions with ones that fail while a file exists, which the first failure may remove. */
const failingSync = `
  #define _GNU_SOURCE
  #include <dlfcn.h>
  #include <errno.h>
  #include <stdlib.h>
  #include <unistd.h>
  static int fails(void) {
    const char *file = getenv("FAULT_FILE");
    if (!file || access(file, F_OK) != 0) return 0;
    if (getenv("FAULT_ONCE")) unlink(file);
    errno = EIO;
    return 1;
  }
  #define STANDS_IN_FOR(name) \\
    int name(int fd) { return fails() ? -1 : ((int (*)(int)) dlsym(RTLD_NEXT, #name))(fd); }
  STANDS_IN_FOR(fsync)
  STANDS_IN_FOR(fdatasync)
`;

function compile(source: string, library: string): boolean {
  writeFileSync(`${library}.c`, source);
  return spawnSync('cc', ['-shared', '-fPIC', '-o', library, `${library}.c`, '-ldl']).status === 0;
}

const library = join(parent, 'failing-sync.so');
if (process.platform === 'linux' && compile(failingSync, library)) {
  const faultFile = join(parent, 'fault');
  const env = { LD_PRELOAD: library, FAULT_FILE: faultFile };

  test('a write whose sync fails once is reported as busy, and no crash brings it back', async () => {
    const folder = await newFolder('once');
    const { failure, first } = runProgram(folder, faultFile, { ...env, FAULT_ONCE: 'yes' });
    assert.equal(failure, 'BusyError');
    await makeAgain(folder, first);
  });

  test('a write after which no sync succeeds is reported as unknown', async () => {
    const { failure } = runProgram(await newFolder('always'), faultFile, env);
    assert.equal(failure, 'OutcomeUnknownError');
  });

  test('an import whose sync fails is reported as unknown, and a crash may have kept it', async () => {
    rmSync(faultFile, { force: true });
    const folder = await newFolder('import');
    const { failure } = runProgram(folder, faultFile, env, '', importProgram);
    assert.equal(failure, 'OutcomeUnknownError');
    const database = await openSqliteDatabase({ folder });
    const tenant = await database.tenants.findTenant('first');
    const kept: bigint[] = [];
    for await (const { id } of database.importer.listRoles(tenant?.id ?? 0n)) kept.push(id);
    assert.deepEqual(kept, [7n]);
    await database.close();
  });
} else {
  console.error('NOT TESTED: a disk whose sync fails, because there is no C compiler (cc)');
}
