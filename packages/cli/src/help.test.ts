import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { describe, test } from 'node:test';
import type { Command } from 'commander';
import { runCommand } from '../test/run-command.ts';
import { wholeProgram } from '../test/whole-program.ts';

const program = await wholeProgram();
const groups = namesOf(program, ({ commands }) => commands.length > 0);

/** Their help has no example. Every other command needs one. */
const withoutExample = [
  'app show',
  'app update',
  'backup',
  'backup verify',
  'claims',
  'claims status',
  'claims reset',
  'config',
  'config check',
  'doctor',
  'key',
  'key check',
  'key rotate',
  'operator',
  'operator invite',
  'operator list',
  'operator reset',
  'operator links',
  'operator withdraw',
  'operator disable',
  'operator enable',
  'restore',
  'user erase',
];

/** Lines that may be too long: examples and the path of the documents, which people copy as a whole, and names of variables. */
const isUnbreakable = (line: string) => /^ {2}\$ |^Documents: |^ +FIELDROSTER_\w+,?$/.test(line);

/** Returns the words of each command, of the program itself the empty ones. */
function namesOf(command: Command, isWanted = (_: Command) => true, path: readonly string[] = []): string[] {
  const below = command.commands.flatMap((child) => namesOf(child, isWanted, [...path, child.name()]));
  return isWanted(command) ? [path.join(' '), ...below] : below;
}

/** Returns the command with these words. */
function findCommand(words: string): Command {
  return words
    .split(' ')
    .filter(Boolean)
    .reduce<Command>((command, word) => {
      const found = command.commands.find((child) => child.name() === word);
      assert(found, words);
      return found;
    }, program);
}

const withoutBreaks = (text: string) => text.replaceAll(/\s+/g, ' ');

describe('the help', { concurrency: 4 }, () => {
  for (const command of namesOf(program)) {
    if (withoutExample.includes(command)) continue;
    test(`of 'fieldroster ${command}' shows an example`, async () => {
      const { exitCode, stdout, stderr } = await runCommand([
        ...command.split(' ').filter(Boolean),
        '--help',
      ]);
      assert.equal(exitCode, 0);
      assert.equal(stderr, '');
      assert.match(stdout, new RegExp(`Example:\\n {2}\\$ fieldroster ${command}`));
      assert.equal(
        stdout.includes('--json'),
        !groups.includes(command) || stdout.split('Example:')[1]?.includes('--json'),
      );
    });
  }

  for (const command of namesOf(program)) {
    test(`of 'fieldroster ${command}' fits into 80 columns, except for examples`, async () => {
      const { stdout } = await runCommand([...command.split(' ').filter(Boolean), '--help']);
      const wide = stdout.split('\n').filter((line) => line.length > 80 && !isUnbreakable(line));
      assert.deepEqual(wide, []);
    });
  }

  test('ends with the folder of the documents that messages name', async () => {
    const { stdout } = await runCommand(['--help']);
    const [, folder = ''] = /\nDocuments: (.+)\n$/.exec(stdout) ?? [];
    assert(isAbsolute(folder), stdout);
    assert.match(readFileSync(join(folder, 'keys.md'), 'utf8'), /^# /);
  });

  for (const command of namesOf(program))
    test(`of 'fieldroster ${command}' marks the flags that must be given`, async () => {
      const { stdout } = await runCommand([...command.split(' ').filter(Boolean), '--help']);
      const options = findCommand(command).options.filter(({ mandatory }) => mandatory);
      for (const { flags, description } of options)
        assert(withoutBreaks(stdout).includes(withoutBreaks(`${flags} ${description} (required)`)), flags);
      assert.equal(stdout.split('(required)').length - 1, options.length);
    });

  test('of calls gives the usual duration as it is typed', async () => {
    assert.match((await runCommand(['calls', '--help'])).stdout, /\(default: 1h\)/);
  });

  test('of every import has the same flags for a dry run and for empty cells', async () => {
    for (const noun of ['user', 'role', 'org', 'store']) {
      const { stdout } = await runCommand([noun, 'import', '--help']);
      for (const flag of ['--dry-run', '--clear-empty'])
        assert.match(stdout, new RegExp(`^ +${flag} `, 'm'), noun);
    }
  });

  test('of a group is what the group prints as an error without a command', async () => {
    for (const words of [[], ['app']]) {
      const { exitCode, stdout, stderr } = await runCommand(words);
      assert.deepEqual([exitCode, stdout], [2, '']);
      assert.match(stderr, /^Usage: fieldroster/);
    }
  });
});

const mistakes: readonly (readonly [words: readonly string[], message: string])[] = [
  [['nonsense'], "unknown command 'nonsense'; --help lists the commands"],
  [
    ['call', 'GET', 'user'],
    `'user' is invalid for argument 'path'. It must begin with /, without white space and #. Give values that need encoding with -q: -q "username=ada b".`,
  ],
  [['stroe', 'list'], "unknown command 'stroe' (Did you mean store?)"],
  [
    ['user', 'create'],
    "unknown command 'create'; create users from a file with: fieldroster user import, or one with: fieldroster call POST /user",
  ],
  [['start'], "unknown command 'start'; use: fieldroster serve"],
  [['import', 'users.csv'], "unknown command 'import'; use: fieldroster user import"],
  [['users', 'list'], "unknown command 'users' (Did you mean user?)"],
  [['app', 'new'], "unknown command 'new'; use: fieldroster app create"],
  [
    ['store', 'add'],
    "unknown command 'add'; create stores from a file with: fieldroster store import, or one with: fieldroster call POST /store",
  ],
  [['serve', '--data-dir', 'x'], "unknown option '--data-dir' (Did you mean --data?)"],
  [
    ['serve', '--database-url=postgres://u:kept@h/d'],
    "unknown option '--database-url' (Did you mean --database?)",
  ],
  [
    ['serve', "--databse=postgres://u:it's-secret@h/d"],
    "unknown option '--databse' (Did you mean --database?)",
  ],
  [
    ['serve', `--databse=postgres://u:${'kept'.repeat(500)}@h/d`],
    "unknown option '--databse' (Did you mean --database?)",
  ],
  [['serve', '-Dpostgres://u:pw@h/d'], "unknown option '-D'; --help lists the options"],
  [['app', 'list', "-p'kept"], "unknown option '-p'; --help lists the options"],
  [['app', 'list', '--jason=x'], "unknown option '--jason' (Did you mean --json?)"],
  [
    ['user', 'import', '--file', 'users.csv'],
    "unknown option '--file'; name the file without a flag: fieldroster user import FILE",
  ],
  [
    ['store', 'import', 'x.csv', '--file', 'y'],
    "unknown option '--file'; name the file without a flag: fieldroster store import FILE",
  ],
  [['restore', '--file', 'x'], "unknown option '--file' (Did you mean --from?)"],
  [['serve', '--file', 'x'], "unknown option '--file'; --help lists the options"],
  [['user', 'list', '--name', 'x'], "unknown option '--name' (Did you mean --search?)"],
  [
    ['who', '--name', 'x'],
    "unknown option '--name' (Did you mean --user or --store or --app or --operator?)",
  ],
  [['start', 'serve'], "unknown command 'start'; use: fieldroster serve"],
  [['import', 'store', 'stores.csv'], "unknown command 'import'; use: fieldroster store import"],
  [['create', 'app', '--name', 'x'], "unknown command 'create'; use: fieldroster app create"],
  [['export', 'user'], "unknown command 'export'; use: fieldroster user export"],
  [['export', 'store'], "unknown command 'export'; fieldroster store --help lists what there is"],
  [
    ['create', 'user'],
    "unknown command 'create'; create users from a file with: fieldroster user import, or one with: fieldroster call POST /user",
  ],
  [['logs', 'app'], "unknown command 'logs'; use: fieldroster calls"],
  [['serve', '--listen', '0.0.0.0:8080'], "unknown option '--listen' (Did you mean --host or --port?)"],
  [['app', 'list', '--db', 'x'], "unknown option '--db' (Did you mean --database?)"],
  [['who', '--user-name', 'ada'], "unknown option '--user-name' (Did you mean --user?)"],
  [['user', 'list', '--since', '2026-01-01'], "unknown option '--since' (Did you mean --updated-since?)"],
  [['user', 'list', '--appId', 'a'], "unknown option '--appId' (Did you mean --app-id?)"],
  [['app', 'list', '--frobnicate'], "unknown option '--frobnicate'; --help lists the options"],
  [['app', 'list', '--jason'], "unknown option '--jason' (Did you mean --json?)"],
  [['app', 'create'], "required option '--name <name>' not specified"],
  [
    ['app', 'create', '--name', 'x', '--scope', 'all'],
    "option '--scope <scope>' argument 'all' is invalid. Allowed choices are read, write, manage.",
  ],
  [['app', 'revoke'], "missing required argument 'appid'"],
  [
    ['store', 'import', 'a.csv', 'b.csv'],
    "too many arguments for 'import'. Expected 1 argument but got 2; --help shows the arguments and options",
  ],
  [
    ['call', 'POST', '/user', '{"password":"kept from the log"}'],
    "too many arguments for 'call'. Expected 2 arguments but got 3; give the body with --data",
  ],
  [
    ['restore', 'today.backup'],
    "too many arguments for 'restore'. Expected 0 arguments but got 1; name the backup with --from",
  ],
  [
    ['backup', 'today.backup'],
    "too many arguments for 'backup'. Expected 0 arguments but got 1; name the file to write with --to, or check one with: fieldroster backup verify",
  ],
  [
    ['who', 'mara.okafor'],
    "too many arguments for 'who'. Expected 0 arguments but got 1; name the subject with --user, --store, --app or --operator",
  ],
  [
    ['config', 'check', 'fieldroster.toml'],
    "too many arguments for 'check'. Expected 0 arguments but got 1; --help shows the arguments and options",
  ],
  [
    ['operator', 'disable', 'ann', 'Passw0rd'],
    "too many arguments for 'disable'. Expected 1 argument but got 2; --help shows the arguments and options",
  ],
  [['call', 'GET', '/user', '-d', '{}'], "unknown option '-d'; --help lists the options"],
  [['serve', '--port', 'http'], '--port is "http"; it must be a whole number from 0 to 65535'],
  [['store', 'list', '--data', ''], '--data is ""; it must be a string that is not empty'],
];

describe('a mistake on the command line exits 2 with one line', { concurrency: 4 }, () => {
  for (const [words, message] of mistakes) {
    test(`fieldroster ${words.join(' ')}`, async () => {
      const { exitCode, stdout, stderr } = await runCommand(words);
      assert.equal(stderr, `fieldroster: ${message}\n`);
      assert.deepEqual([exitCode, stdout], [2, '']);
    });
  }
});
