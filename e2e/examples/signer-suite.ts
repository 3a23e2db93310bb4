import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { testFailingServers } from './failing-servers.ts';
import { awkward, type LiveDirectory, startLiveDirectory } from './live-directory.ts';
import { type Toolchain, toolchainIsHere } from './toolchains.ts';
import { readVectors, toVectorLines, type Vector, vectorDirectory } from './vector-lines.ts';

type Command = readonly [command: string, ...arguments_: string[]];

/** How a language's example is built and run. */
export interface SignerExample {
  readonly toolchain: Toolchain;
  /** Name of the language's folder, in `examples/` and beside this file. */
  readonly folder: string;
  /** The vector runner. Its commands run in the folder beside this file. */
  readonly vectors: Program<[vectors: string, buildFolder: string]> & {
    /** The runner reads the JSON files, or one file that `toVectorLines` writes. */
    readonly format: 'json' | 'lines';
    /** Takes only every nth vector in an ordinary run: in bash, each vector costs a dozen processes. */
    readonly step?: number;
  };
  /** Whether the program sends a request again whose answer was lost. */
  readonly sendsAgain?: boolean;
  /** `create_bind_query`. Its commands run in the folder in `examples/`. */
  readonly program: Program<[buildFolder: string]>;
}

interface Program<Arguments extends readonly string[]> {
  /** The commands that build it into `buildFolder`. */
  readonly build?: (buildFolder: string) => readonly Command[];
  readonly run: (...arguments_: Arguments) => Command;
}

const everyUsername: Readonly<Record<string, string>> = {
  plus: 'a+b++c',
  space: 'li  wei',
  ampersand: 'tea&co&user_id=1',
  equals: 'a=b==',
  percent: '100%',
  'percent-encoding': '%2B%20%41%zz',
  Chinese: '李伟',
  emoji: '👩🏽‍💻😀',
  'JSON quotes': '"\\n\\u0041\'`$(id)',
  'all of these': 'a+b c&d=e%f%20李伟😀"\\?#;/é',
};

/** The usernames of an ordinary run. Together they contain every awkward character. */
const usualUsernames = ['percent-encoding', 'all of these'];

/** Whether to run every username and every vector. */
const runsAll = process.env.FIELDROSTER_EXAMPLES === 'all';

const usernames = Object.fromEntries(
  Object.entries(everyUsername).filter(([kind]) => runsAll || usualUsernames.includes(kind)),
);

// On a small machine, Go needs most of this to build its standard library.
const buildSecondsMax = 200;
const runSecondsMax = 120;

/** Registers the tests of a language's signer: every vector, then its program against a real server. */
export function testSignerExample(example: SignerExample): void {
  const { toolchain } = example;
  if (!toolchainIsHere(toolchain)) return;
  describe(`the ${toolchain.language} signer`, () => {
    const build = mkdtempSync(join(tmpdir(), 'fieldroster-build-'));
    before(async () => {
      await buildIn(runnerFolder(example), example.vectors.build?.(build));
      await buildIn(programFolder(example), example.program.build?.(build));
    });
    after(() => rmSync(build, { recursive: true }));
    testVectors(example, build);
    testProgram(example, build);
  });
}

const programFolder = ({ folder }: SignerExample) =>
  fileURLToPath(new URL(`../../examples/${folder}`, import.meta.url));

const runnerFolder = ({ folder }: SignerExample) => fileURLToPath(new URL(folder, import.meta.url));

async function buildIn(folder: string, commands: readonly Command[] = []): Promise<void> {
  for (const command of commands) {
    const { code, output } = await run(folder, command, {}, buildSecondsMax);
    assert.equal(code, 0, output);
  }
}

function testVectors(example: SignerExample, build: string): void {
  const { format, step: usualStep = 1, run: runVectors } = example.vectors;
  const step = runsAll ? 1 : usualStep;
  const which = step === 1 ? 'every vector' : `every ${step}th vector`;
  test(`computes every stage of ${which}, and refuses input that no server accepts`, async () => {
    const vectors = readVectors().filter((_, index) => index % step === 0);
    const lines = join(build, 'vectors.txt');
    writeFileSync(lines, toVectorLines(vectors));
    const given = format === 'json' ? vectorDirectory : lines;
    const command = runVectors(given, build);
    const { code, stdout, stderr } = await run(runnerFolder(example), command, {}, runSecondsMax);
    assert.equal(stderr, '');
    assert.equal(stdout, `${expectedCounts(vectors)}\n`);
    assert.equal(code, 0);
  });
}

/** The counts that a runner must print. A runner that read nothing would find no difference either. */
function expectedCounts(vectors: readonly Vector[]): string {
  const stages = vectors.filter((vector) => vector.stringToSign !== null);
  const signed = vectors.filter((vector) => vector.signer === undefined);
  const refused = vectors.filter(({ signer, timestamp }) => signer === 'refuses' && /^\d+$/.test(timestamp));
  return `stages=${stages.length} signed=${signed.length} refused=${refused.length}`;
}

function testProgram(example: SignerExample, build: string): void {
  for (const status of ['compatible', 'standard'] as const) {
    describe(`its program, against a server with ${status} HTTP statuses`, () => {
      let live: LiveDirectory;
      const runProgram = (username: string, changes: NodeJS.ProcessEnv = {}) =>
        run(
          programFolder(example),
          example.program.run(build),
          { ...environmentOf(live, username), ...changes },
          runSecondsMax,
        );
      before(async () => {
        live = await startLiveDirectory(status);
      });
      after(() => live.close());
      if (status === 'compatible') {
        testAwkwardValues(runProgram, () => live);
        testDefaults((changes) => runProgram('', changes));
        testUnusable(runProgram);
        testFailingServers(runProgram);
        if (example.sendsAgain) testLostAnswers(runProgram, () => live);
      }
      testFailures(runProgram);
    });
  }
}

type RunProgram = (username: string, changes?: NodeJS.ProcessEnv) => ReturnType<typeof run>;

function testAwkwardValues(runProgram: RunProgram, live: () => LiveDirectory): void {
  for (const [kind, username] of Object.entries(usernames)) {
    test(`creates, binds and queries a user whose name has ${kind}: ${username}`, async () => {
      const { code, stdout, stderr } = await runProgram(username);
      assert.equal(stderr, '');
      assert.equal(code, 0);
      const id = /^created user (\d+)\n/.exec(stdout)?.[1];
      assert.deepEqual(stdout.split('\n'), [
        `created user ${id}`,
        `bound to role ${awkward.roleId}`,
        `bound to organization ${awkward.orgId}`,
        `bound to store ${awkward.storeCode}`,
        `found user ${id}: ${username} (${username})`,
        `its role: ${awkward.roleId}`,
        `its organization: ${awkward.orgId}`,
        `its store: ${awkward.storeCode}`,
        `unbound from store ${awkward.storeCode}`,
        '',
      ]);
    });
  }

  test('sends a different nonce of 36 characters each time', () => {
    const { nonces } = live();
    assert.equal(nonces.length, 7 * Object.keys(usernames).length);
    assert.deepEqual(
      nonces.filter((nonce) => nonce.length !== 36),
      [],
    );
    assert.equal(new Set(nonces).size, nonces.length);
  });
}

/** Leaves out every setting that has a default, as a first attempt against `npm start` would. */
const leftOut: NodeJS.ProcessEnv = {
  FIELDROSTER_USERNAME: undefined,
  FIELDROSTER_REAL_NAME: undefined,
  FIELDROSTER_ROLE_ID: undefined,
  FIELDROSTER_ORG_ID: undefined,
  FIELDROSTER_STORE_CODE: undefined,
};

function testDefaults(runProgram: (changes: NodeJS.ProcessEnv) => ReturnType<typeof run>): void {
  test('its defaults fit the sample directory, even for two runs in the same second', async () => {
    const runs = await Promise.all([runProgram(leftOut), runProgram(leftOut)]);
    for (const { code, stdout, stderr } of runs) {
      assert.equal(stderr, '');
      assert.equal(code, 0);
      const name = /^found user \d+: (\S+) \(Li Wei\)$/m.exec(stdout)?.[1] ?? '';
      assert.match(name, /^example-[0-9a-f-]{24,}$/);
      assert.match(stdout, /\nunbound from store N-001\n$/);
    }
  });
}

function testFailures(runProgram: RunProgram): void {
  test("exits 1 with the envelope's code and message", async () => {
    const failed = await runProgram('li.wei', { FIELDROSTER_STORE_CODE: 'no "such" store' });
    assert.equal(failed.code, 1);
    assert.match(failed.stdout, /bound to organization \d+\n$/);
    assert.match(failed.stderr, /^POST \S*\/user\/store failed with code 1401: .*no "?\\?"?such\\?" store/);
    const again = await runProgram('li.wei');
    assert.equal(again.code, 1);
    assert.equal(again.stdout, '');
    assert.match(again.stderr, /^POST \S*\/user failed with code 1102: .*li\.wei/);
  });

  test('exits 1 with code 1014 when the secret is wrong', async () => {
    const failed = await runProgram('somebody', { FIELDROSTER_APP_SECRET: 'not-the-secret-that-was-issued' });
    assert.equal(failed.code, 1);
    assert.equal(failed.stdout, '');
    assert.match(failed.stderr, /failed with code 1014: /);
    assert.doesNotMatch(failed.stderr, /not-the-secret/);
  });
}

function testUnusable(runProgram: RunProgram): void {
  test('exits 1 and says why when there is no server, and when a setting is missing', async () => {
    const unreachable = await runProgram('somebody', { FIELDROSTER_URL: 'http://127.0.0.1:1' });
    assert.equal(unreachable.code, 1);
    assert.notEqual(unreachable.stderr, '');
    const unset = await runProgram('somebody', { FIELDROSTER_APP_SECRET: undefined });
    assert.equal(unset.code, 1);
    assert.match(unset.stderr, /FIELDROSTER_APP_SECRET/);
  });
}

function testLostAnswers(runProgram: RunProgram, live: () => LiveDirectory): void {
  test('sends a write again whose answer was lost, and takes the 1015 that proves it as success', async () => {
    const before = live().nonces.length;
    live().loseAnswers(2);
    const { code, stdout, stderr } = await runProgram('answers lost', { FIELDROSTER_URL: live().url });
    assert.equal(stderr, '');
    assert.equal(code, 0);
    assert.match(stdout, /^created user \d+\nbound to role .*\nunbound from store /s);
    const nonces = live().nonces.slice(before);
    assert.equal(nonces.length, 10, 'two writes were sent twice, and the id of the user was queried');
    assert.equal(new Set(nonces).size, 8);
  });
}

function environmentOf(live: LiveDirectory, username: string): NodeJS.ProcessEnv {
  return {
    FIELDROSTER_URL: live.url,
    FIELDROSTER_APP_ID: live.appId,
    FIELDROSTER_APP_SECRET: live.appSecret,
    FIELDROSTER_USERNAME: username,
    FIELDROSTER_REAL_NAME: username,
    FIELDROSTER_ROLE_ID: awkward.roleId,
    FIELDROSTER_ORG_ID: awkward.orgId,
    FIELDROSTER_STORE_CODE: awkward.storeCode,
  };
}

async function run(
  folder: string,
  [command, ...arguments_]: Command,
  environment: NodeJS.ProcessEnv,
  secondsMax: number,
) {
  const child = spawn(command, arguments_, {
    cwd: folder,
    // Keeps Python from writing compiled files into the example's folder.
    env: { ...process.env, LC_ALL: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1', ...environment },
    timeout: secondsMax * 1000,
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('close', resolve);
  });
  return { code, ...texts, output: texts.stdout + texts.stderr };
}
