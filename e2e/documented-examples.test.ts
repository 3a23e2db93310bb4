import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { operations } from '@fieldroster/contract';
import { variableFields } from '../scripts/docs/examples.ts';
import { pasteIntoBash } from '../scripts/testing/paste-into-bash.ts';
import { startSampleServer } from '../scripts/testing/sample-server.ts';
import { temporaryFolder } from '../scripts/testing/temporary-folder.ts';
import { blocksNotPasted, type DocumentedBlock, documentedBlocks } from './documented-blocks.ts';
import { collectResult, fieldrosterCommand, repositoryRoot } from './fieldroster-command.ts';

const read = (file: string) => readFileSync(join(repositoryRoot, file), 'utf8');

/** An example of the documents, and the answer that they show. */
interface DocumentedExample {
  readonly operation: string;
  readonly command: string;
  readonly answer: string;
}

const shape = /^(?<operation>[a-z-]+)\n.*?^```bash\n(?<command>.*?)^```\n\n^```json\n(?<answer>.*?)^```/ms;

const operationsPage = read('docs/operations.md');

const examples = operationsPage
  .split(/^## /m)
  .slice(1)
  .map((section) => shape.exec(section)?.groups as unknown as DocumentedExample);

const [, readmeExample = ''] = /<!-- the example:.*-->\n```bash\n(.*?)```/s.exec(read('README.md')) ?? [];

/** The README's example without its calls. */
const definition = readmeExample.replaceAll(/^send .*\n/gm, '');

/** Replaces each field that varies between runs with its type. */
function withoutVariables(json: string): unknown {
  return JSON.parse(json, (name, part) => (variableFields.includes(name) ? typeof part : part));
}

/** The order in which the page says that its examples answer as shown. */
const [, order = ''] = /^The later examples .* in this order: (.*)\.$/m.exec(operationsPage) ?? [];

const names = Array.from(order.matchAll(/\[([a-z-]+)\]/g), ([, name]) => name);

function placeOf({ operation }: DocumentedExample): number {
  assert.ok(names.includes(operation), `the page says when to try ${operation}`);
  return names.indexOf(operation);
}

test('every documented example answers as documented when pasted into bash', async (t) => {
  assert.equal(examples.length, Object.keys(operations).length, 'each operation has an example');
  const { url, appId, appSecret } = await startSampleServer(t);
  const environment = { BASE_URL: url, APPID: appId, APPSECRET: appSecret };
  const inOrder = examples.toSorted((a, b) => placeOf(a) - placeOf(b));
  const commands = inOrder.map(({ command }) => command).join('');
  const answers = (await pasteIntoBash(definition + commands, environment)).trim().split('\n');
  assert.equal(answers.length, inOrder.length);
  for (const [index, { operation, answer }] of inOrder.entries()) {
    assert.deepEqual(withoutVariables(answers[index] ?? ''), withoutVariables(answer), operation);
  }
});

test('send signs queries as servers read them, in any encoding and order', async (t) => {
  const { url, appId, appSecret } = await startSampleServer(t);
  const environment = { BASE_URL: url, APPID: appId, APPSECRET: appSecret };
  const commands = [
    `send POST /user/stores '{"username":"李 娜+é"}'`,
    `send GET '/user?username=%E6%9D%8E%20%E5%A8%9C%2B%C3%A9&b=2&a=1&a-b=3&a='`,
    `send GET '/user?username=%E6%9D%8E+%E5%A8%9C%2B%C3%A9'`,
    `send GET '/user?username=李%20娜%2Bé'`,
    `send GET '/roles?'`,
  ];
  const answers = (await pasteIntoBash(`${definition}${commands.join('\n')}\n`, environment))
    .trim()
    .split('\n');
  const codes = answers.map((answer) => (JSON.parse(answer) as { code: number }).code);
  // In the third request, `send` takes the plus sign literally, so it asks for another user, who does not exist.
  assert.deepEqual(codes, [0, 0, 1101, 0, 0]);
});

test('the signature of the worked example is what its shell command prints', async () => {
  const page = read('docs/interface.md');
  const [, command = ''] = /```bash\n(printf .*?)```/s.exec(page) ?? [];
  const [, signature] = /Authorization: cbs:fieldapp01:(\S+)/.exec(page) ?? [];
  assert.equal((await pasteIntoBash(command, {})).trim(), signature);
});

const operatorPages = ['operating.md', 'deploying.md', 'importing-users.md', 'backup.md'];

describe('the blocks of the documents for operators', () => {
  const blocks = operatorPages.flatMap(documentedBlocks);
  const pasted = new Set<DocumentedBlock>();

  function take(page: string, part: string): string {
    const found = blocks.find((block) => block.page === page && block.text.includes(part));
    assert.ok(found, `docs/${page} has no block with ${part}`);
    pasted.add(found);
    return found.text;
  }

  /** Puts `fieldroster` on the path, as an installation does, and in the place where a checkout has it. */
  function shellIn(t: TestContext) {
    const { program, args } = fieldrosterCommand([]);
    const command = `#!/bin/sh\nexec '${program}' ${args.map((word) => `'${word}'`).join(' ')} "$@"\n`;
    const folder = temporaryFolder(t, {
      'node_modules/.bin/fieldroster': command,
      'bin/fieldroster': command,
      'bin/npm': '#!/bin/sh\n',
    });
    for (const path of ['node_modules/.bin/fieldroster', 'bin/fieldroster', 'bin/npm'])
      chmodSync(join(folder, path), 0o755);
    const run = async (lines: string, environment: Readonly<Record<string, string>> = {}) => {
      const bash = spawn('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', lines], {
        cwd: folder,
        env: {
          PATH: `${folder}/bin:${process.env.PATH}`,
          HOME: folder,
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          no_proxy: '127.0.0.1',
          ...environment,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: 240_000,
      });
      return collectResult(bash);
    };
    const succeed = async (lines: string, environment?: Readonly<Record<string, string>>) => {
      const { exitCode, stdout, stderr } = await run(lines, environment);
      assert.equal(exitCode, 0, `${lines}\n${stdout}${stderr}`);
      return stdout;
    };
    return { folder, run, succeed };
  }

  /** Waits until the server of a block listens, then stops it as a service manager would. */
  const stopWhenListening = (log: string) =>
    `until grep -q listening ${log}; do sleep 0.1; done; kill -s TERM $!; wait $!`;

  test('operating.md: the server starts as written, and stops on SIGTERM', async (t) => {
    const { folder, succeed } = shellIn(t);
    const block = take('operating.md', 'serve --data /var/lib/fieldroster')
      .replace('/var/lib/fieldroster', join(folder, 'data'))
      .replace('8080', '0')
      .trim();
    await succeed(`${block} >log 2>&1 & ${stopWhenListening('log')}`);
    assert.match(readFileSync(join(folder, 'log'), 'utf8'), /listening/);
  });

  test('operating.md: of a server in the background, nobody else can read the log, and it has no APPSECRET', async (t) => {
    const { folder, succeed } = shellIn(t);
    const block = take('operating.md', 'serve --sample > server.log').replace(
      /^kill \$!.*$/m,
      stopWhenListening('server.log'),
    );
    await succeed(block, {
      FIELDROSTER_PORT: '0',
      // The link needs a port that is known beforehand.
      FIELDROSTER_CONSOLE_URL: 'http://127.0.0.1:8080/console',
    });
    const log = join(folder, 'server.log');
    const text = readFileSync(log, 'utf8');
    assert.doesNotMatch(text, /APPSECRET|secret"/);
    const [, rotate = ''] = /for a secret, run: (fieldroster app rotate \w+)/.exec(text) ?? [];
    assert.match(await succeed(rotate), /^APPSECRET {2}\S{20,}$/m);
    assert.equal(statSync(log).mode & 0o077, 0);
  });

  test('operating.md and backup.md: applications are created, listed and revoked, and a backup brings them back', async (t) => {
    const { folder, succeed } = shellIn(t);
    const [create = '', ...rest] = take('operating.md', 'app create --name').trim().split('\n');
    const [, appId = ''] = /APPID\s+(\S+)/.exec(await succeed(create)) ?? [];
    assert.notEqual(appId, '');
    const printed = await succeed(rest.join('\n').replaceAll('<APPID>', appId));
    for (const name of ['Reports', 'Master data']) assert.ok(printed.includes(name), name);
    const block = take('backup.md', 'fieldroster restore --from');
    const [shownDate = ''] = /[\d-]+(?=\.backup)/.exec(block) ?? [];
    const lines = block
      // The page shows the commands of one day.
      .replace('$(date +%F)', shownDate)
      .replaceAll('/backup/', `${folder}/`)
      .replaceAll('/var/lib/fieldroster', join(folder, 'restored'));
    // The last line restores into a PostgreSQL that is not here.
    await succeed(lines.split('\n').slice(0, 3).join('\n'));
    const listed = await succeed(`fieldroster app list --json --data '${join(folder, 'restored')}'`, {
      FIELDROSTER_MASTER_KEY_FILE: join(folder, 'data/master.key'),
    });
    assert.equal((JSON.parse(listed) as unknown[]).length, 3);
  });

  test('importing-users.md: the file is imported, the dry run prints what the page shows, and users are exported', async (t) => {
    const { folder, succeed, run } = shellIn(t);
    const { url, appId, appSecret } = await startSampleServer(t);
    const environment = {
      FIELDROSTER_URL: url,
      FIELDROSTER_APP_ID: appId,
      FIELDROSTER_APP_SECRET: appSecret,
    };
    const file = take('importing-users.md', 'username,real_name,phone');
    writeFileSync(join(folder, 'staff.csv'), file);
    const block = take('importing-users.md', 'export FIELDROSTER_URL')
      .replace(/^export FIELDROSTER_URL=\S+/m, `export FIELDROSTER_URL=${url}`)
      .replace(/^export FIELDROSTER_APP_ID=….*$/m, '');
    const imported = await succeed(block, environment);
    assert.match(imported, /would import 2 rows of staff\.csv: 2 created/);
    assert.match(imported, /^imported 2 rows of staff\.csv: 2 created/m);

    writeFileSync(join(folder, 'named.csv'), take('importing-users.md', 'username,role,organization'));
    const named = await succeed('fieldroster user import named.csv --dry-run', environment);
    assert.match(
      named,
      /^~ li\.wei {2}updated .*\n {4}org_id: 12 \(.*\) → 13 \(Harbour Foods \/ North region \/ Harbour team\)\n/,
    );

    const changes = [
      `printf 'username,phone\\nnoa.lindgren,\\n' >clear.csv`,
      'fieldroster user import clear.csv --clear-empty',
      'fieldroster user unbind noa.lindgren --store N-002',
      'fieldroster user bind noa.lindgren --store N-003',
    ];
    await succeed(changes.join('\n'), environment);
    writeFileSync(join(folder, 'staff.csv'), file.replace(',2,12,', ',8,12,'));
    const trial = await run('fieldroster user import staff.csv --dry-run', environment);
    assert.equal(trial.exitCode, 1);
    assert.equal(trial.stdout, take('importing-users.md', '~ noa.lindgren'));

    await succeed(take('importing-users.md', 'user export users.csv'), environment);
    assert.match(readFileSync(join(folder, 'users.csv'), 'utf8'), /noa\.lindgren/);
    assert.match(readFileSync(join(folder, 'users.jsonl'), 'utf8'), /"username":"li\.wei"/);
    await succeed(take('importing-users.md', 'user show noa.lindgren'), environment);
    assert.equal(
      (await run('fieldroster user show noa.lindgren', environment)).exitCode,
      1,
      'deleted at the end',
    );
  });

  test('operating.md: /readyz answers the fields that the page shows', async (t) => {
    const { url } = await startSampleServer(t);
    const shown = JSON.parse(take('operating.md', '"checks"')) as { checks: [object] };
    const answered = (await (await fetch(`${url}/readyz`)).json()) as { checks: object[] };
    assert.deepEqual(Object.keys(answered), Object.keys(shown));
    const fields = answered.checks.flatMap(Object.keys);
    for (const field of Object.keys(shown.checks[0])) assert.ok(fields.includes(field), field);
  });

  test('every other block is listed with the reason why no test pastes it', () => {
    const left = blocks
      .filter((block) => !pasted.has(block))
      .filter(({ text }) => !blocksNotPasted.some(([part]) => text.includes(part)))
      .map(({ page, line, text }) => `docs/${page}:${line}: ${text.split('\n')[0]}`);
    assert.deepEqual(left, [], 'paste these in this test, or list them in documented-blocks.ts');
    for (const [part] of blocksNotPasted)
      assert.ok(
        blocks.some(({ text }) => text.includes(part)),
        `no block has ${part} any more`,
      );
  });
});
