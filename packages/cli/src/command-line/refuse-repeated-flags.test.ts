import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';
import { runCommand, temporaryFolder } from '../../test/run-command.ts';
import { buildProgram } from '../program.ts';

const folder = temporaryFolder();
const [one, two] = [join(folder, 'one'), join(folder, 'two')];

test('a flag with a value that is given twice is refused by its name, and nothing is done', async () => {
  const config = join(folder, 'settings.toml');
  for (const [words, expected] of [
    [
      ['app', 'create', '--name', 'HR', '--data', one, '--data', two],
      '--data is given twice; give one of them and remove the other',
    ],
    [
      ['app', 'create', '--name', 'HR', `--data=${one}`, '--name=HR', `--data=${one}`],
      '--name is given twice; ',
    ],
    [['serve', '--port', '1', '--data', one, '--port', '2'], '--port is given twice; '],
    [['config', 'check', '--config', config, '--config', config], '--config is given twice; '],
    [
      ['serve', '--data', one, '--migrate', 'yes', '--no-migrate'],
      '--migrate and --no-migrate are both given; ',
    ],
    [['copy', '--from', one, '--from', two, '--to', one], '--from is given twice; '],
  ] as const) {
    const { exitCode, stdout, stderr } = await runCommand(words);
    assert.deepEqual([exitCode, stdout], [2, ''], words.join(' '));
    assert.ok(stderr.startsWith(`fieldroster: ${expected}`), stderr);
  }
  assert.ok(!existsSync(one) && !existsSync(two));
});

test('a flag still overrides its variable and the configuration file, and a switch may be repeated', async () => {
  const config = join(folder, 'overridden.toml');
  writeFileSync(config, `data = ${JSON.stringify(one)}\n`, { mode: 0o600 });
  const words = ['config', 'check', '--config', config, '--data', two, '--json', '--json'];
  const { exitCode, stdout, stderr } = await runCommand(words, { env: { FIELDROSTER_DATA: one } });
  assert.deepEqual([exitCode, stderr], [0, '']);
  assert.partialDeepStrictEqual(JSON.parse(stdout), [{ name: 'data', value: two, origin: '--data' }]);
});

test('every flag that keeps all of its values may be repeated', async () => {
  const names = (await buildProgram([])).commands.map((command) => command.name());
  const flags = commandsBelow(await buildProgram([...names, 'erase'])).flatMap((command) =>
    command.options
      .filter(({ description }) => /repeatable|several flags/.test(description))
      .map(({ long, parseArg }) => [`${command.name()} ${long}`, parseArg] as const),
  );
  assert.deepEqual(flags.map(([name]) => name).sort(), [
    'bind --store',
    'call --query',
    // Of users, stores, organizations and roles.
    ...Array.from({ length: 4 }, () => 'import --map'),
    'unbind --store',
    'update --allow-ip',
  ]);
  const unreachable = ['--url', 'http://127.0.0.1:1', '--app-id', 'a', '--app-secret', 'b'];
  for (const words of [
    ['user', 'bind', 'mara', '--store', 'A', '--store', 'B', ...unreachable],
    ['call', 'GET', '/users', '-q', 'limit=1', '-q', 'search=a', ...unreachable],
    ['app', 'update', 'a', '--allow-ip', '::1', '--allow-ip', '127.0.0.1', '--data', one],
    ['operator', 'invite', '--tenant', 'a', 'b', '--tenant', 'c', '--console-url', 'nowhere', '--data', one],
  ]) {
    assert.doesNotMatch((await runCommand(words)).stderr, /given twice/, words.join(' '));
  }
});

function commandsBelow(command: Command): readonly Command[] {
  return command.commands.flatMap((child) => [child, ...commandsBelow(child)]);
}
