import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readSettings, settingDefinitions } from '@fieldroster/server/admin';
import { temporaryFolder } from '../../test/run-command.ts';
import { UsageError } from '../run-program.ts';
import { configPath, fileSettings, readConfigFile, readConfiguration, settingName } from './config-file.ts';

const folder = temporaryFolder();
let made = 0;

function fileOf(content: string | Uint8Array, extension = 'toml'): string {
  const path = join(folder, `${made++}.${extension}`);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

function settingsOf(path: string, environment: NodeJS.ProcessEnv = {}, flags: Record<string, string> = {}) {
  return readSettings(flags, environment, fileSettings(path, environment));
}

const toml = `\
# What a shop has.
host = "0.0.0.0"
port = 9000
base-path = "/api/v1"
docs = false
migrate = "no"
database-insecure = true
trust-proxy = ["10.0.0.0/8", "loopback"]
cors-origin = "https://admin.example"
audit-keep = 365
database = "postgres://u@localhost/x"
`;

const expected = {
  host: '0.0.0.0',
  port: 9000,
  basePath: '/api/v1',
  docs: false,
  migrate: false,
  databaseInsecure: true,
  trustProxy: '10.0.0.0/8,loopback',
  corsOrigin: 'https://admin.example',
  auditKeepDays: 365,
  database: 'postgres://u@localhost/x',
};

describe('a configuration file', () => {
  for (const [encoding, bytes] of [
    ['UTF-16', Buffer.from('\ufeffport = 9000\n', 'utf16le')],
    ['UTF-16 without a mark', Buffer.from('port = 9000\n', 'utf16le')],
    ['Latin-1', Buffer.from('# Größe\nport = 9000\n', 'latin1')],
  ] as const) {
    test(`in ${encoding} is refused with the encoding to use`, () => {
      const path = fileOf(bytes);
      assert.throws(() => readConfigFile(path), {
        name: 'UsageError',
        message: `${path} is not UTF-8; it may be UTF-16, which Windows PowerShell writes; save it as UTF-8`,
      });
    });
  }

  test('has the names of the flags, in TOML or JSON', () => {
    const json = fileOf(
      JSON.stringify({
        host: '0.0.0.0',
        port: 9000,
        'base-path': '/api/v1',
        docs: 'off',
        migrate: false,
        'database-insecure': 'yes',
        'trust-proxy': '10.0.0.0/8,loopback',
        'cors-origin': ['https://admin.example'],
        'audit-keep': 365,
        database: 'postgres://u@localhost/x',
      }),
      'json',
    );
    for (const path of [fileOf(toml), fileOf(`\ufeff${toml}`, 'conf'), json]) {
      assert.deepEqual(settingsOf(path), { ...readSettings({}, {}), ...expected });
    }
  });

  test('may set everything that a flag can', () => {
    for (const definition of settingDefinitions) {
      const { key, defaultText, parse } = definition;
      const value = parse(defaultText);
      const json = fileOf(JSON.stringify({ [settingName(definition)]: value }), 'json');
      assert.equal(settingsOf(json)[key], value, key);
    }
  });

  test('takes a duration as a string with its unit', () => {
    for (const path of [fileOf('backup-every = "6h"'), fileOf('{"backup-every":"360m"}', 'json')])
      assert.equal(settingsOf(path).backupEveryMs, 6 * 3_600_000);
    assert.equal(settingsOf(fileOf('backup-every = 0')).backupEveryMs, 0);
  });

  test('is overridden by the environment, and that by a flag', () => {
    const path = fileOf('port = 1\nhost = "file"\nreplay = "off"');
    const environment = { FIELDROSTER_PORT: '2', FIELDROSTER_HOST: 'environment', FIELDROSTER_REPLAY: '' };
    const { port, host, replay, drainSeconds } = settingsOf(path, environment, { port: '3' });
    assert.deepEqual([port, host, replay, drainSeconds], [3, 'environment', 'off', 0]);
  });

  test('is named by the flag, otherwise by the environment', () => {
    const environment = { FIELDROSTER_CONFIG: 'e.toml' };
    assert.equal(configPath('f.toml', environment), 'f.toml');
    assert.equal(configPath(undefined, environment), 'e.toml');
    assert.equal(configPath(undefined, { FIELDROSTER_CONFIG: '' }), undefined);
    assert.throws(() => configPath('', environment), /--config is empty; name a file, or leave the flag out/);
    assert.deepEqual(fileSettings(undefined, {}), {});
  });

  const refused: readonly (readonly [content: string, message: RegExp])[] = [
    ['prot = 1', /: there is no setting "prot"; did you mean port\?$/],
    ['base_path = "/x"', /: there is no setting "base_path"; did you mean base-path\?$/],
    ['Replay = "off"', /"Replay"; did you mean replay\?$/],
    ['surprise = 1', /: there is no setting "surprise"; remove it, or .* fieldroster serve --help lists$/],
    [
      '[http]\nport = 1',
      /: there is no setting "http"; settings may not be in a table .* top level of the file$/,
    ],
    ['port = "8080"', /: port is a string, "8080"; it must be a number without quotes$/],
    ['backup-every = true', /: backup-every is a boolean, true; it must be a duration in quotes, or 0$/],
    ['backup-every = 6', /^backup-every in .*\.toml is "6"; it must be 0, or a duration from 60s to 31d/],
    ['host = 1', /: host is a number, 1; it must be a string in quotes$/],
    ['host = ["a"]', /: host is an array, \["a"\]; it must be a string in quotes$/],
    ['docs = 1', /: docs is a number, 1; it must be true or false$/],
    ['trust-proxy = [1]', /: trust-proxy is an array, \[1\]; it must be a string, or an array of strings$/],
    ['data = 2026-01-01', /: data is a date, .*; it must be a string in quotes$/],
    ['[port]\nx = 1', /: port is a table, \{"x":1\}; it must be a number without quotes$/],
    ['port = 70000', /^port in .*\.toml is "70000"; it must be a whole number from 0 to 65535$/],
    ['port = 80.5', /^port in .*\.toml is "80.5"; it must be a whole number/],
    ['docs = "maybe"', /^docs in .*\.toml is "maybe"; it must be one of on, off$/],
    ['port = 1\nhost = ', /, line 2, column \d+: not valid TOML: invalid value$/],
    ['port = 1\nport = 2', /, line 2, column \d+: not valid TOML: /],
    [
      'port = 1\nreply = 1\nhots = 1',
      /"reply"; did you mean replay\? \(there are more mistakes; fieldroster config check lists all\)$/,
    ],
  ];

  for (const [content, message] of refused) {
    test(`is refused with ${JSON.stringify(content)}, and the message names file and key`, () => {
      const path = fileOf(content);
      assert.throws(
        () => settingsOf(path),
        (error: unknown) => {
          assert.ok(error instanceof Error && error.message.includes(path));
          assert.match(error.message, message);
          return true;
        },
      );
    });
  }

  test('is refused as JSON with the line and the column of the fault, or if it is not an object', () => {
    for (const [text, line, column] of [
      ['{\n"port": 1,\n}', 3, 1],
      ['{\n"port": 1,\n"data": ,\n}', 3, 9],
      ['{"port"', 1, 8],
      ['port = 1', 1, 1],
      ['', 1, 1],
    ] as const)
      assert.throws(
        () => readConfigFile(fileOf(text, 'json')),
        new RegExp(`, line ${line}, column ${column}: not valid JSON$`),
        text,
      );
    for (const text of ['[]', '7', 'null']) {
      assert.throws(() => readConfigFile(fileOf(text, 'json')), /must contain one JSON object/);
    }
  });

  test('is refused as JSON with a key twice, where TOML is too, however the key is written', () => {
    for (const [content, refusal] of [
      ['{"port": 1,\n"docs": true, "port": 1}', /, line 2: "port" is set a second time; keep one of them$/],
      ['{"port": 1, "p\\u006frt": 2}', /, line 1: "port" is set a second time/],
      [
        '{"data": "a\\"", "trust-proxy": ["data", "1"], "data": "b"}',
        /, line 1: "data" is set a second time/,
      ],
    ] as const)
      assert.throws(() => readConfigFile(fileOf(content, 'json')), { name: 'UsageError', message: refusal });
    // None of these strings is a key that is there before.
    const once =
      '{"data": "port", "base-path": "/a,\\"port\\":", "trust-proxy": ["data", "data"], "port": 1}';
    assert.equal(readConfigFile(fileOf(once, 'json')).settings.port?.text, '1');
  });

  test('is refused when it cannot be read; the message says why', () => {
    mkdirSync(join(folder, 'a-folder.toml'));
    assert.throws(
      () => readConfigFile(join(folder, 'missing.toml')),
      (error: unknown) => {
        assert.ok(error instanceof UsageError);
        assert.match(
          error.message,
          /^--config or FIELDROSTER_CONFIG names .*missing\.toml, which does not exist/,
        );
        return true;
      },
    );
    assert.throws(
      () => readConfigFile(join(folder, 'a-folder.toml')),
      /which is a folder; name the file in it/,
    );
  });

  test('never shows a secret in a message', () => {
    const contents = [
      ['database = "hunter2', 'toml'],
      ['database = ["hunter2"]', 'toml'],
      ['database = "hunter2"', 'toml'],
      ['{"database":"hunter2"', 'json'],
      ['{"database":"hunter2" hunter2}', 'json'],
    ] as const;
    for (const [content, extension] of contents) {
      assert.throws(
        () => settingsOf(fileOf(content, extension)),
        (error: unknown) => error instanceof Error && !error.message.includes('hunter2'),
      );
    }
  });

  test('with a secret causes a warning if any user can read it; others do not', (t) => {
    const written = t.mock.method(process.stderr, 'write', () => true);
    const [exposed, harmless] = [fileOf('database = "postgres://u:p@localhost/x"'), fileOf('port = 1')];
    for (const path of [exposed, harmless]) chmodSync(path, 0o644);
    for (const path of [exposed, harmless]) readConfigFile(path);
    const lines = written.mock.calls.map(({ arguments: [text] }) => String(text));
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /has database, which may hold a password, and any user .* chmod 600/);
    assert.ok(!lines[0]?.includes('u:p'));
  });

  test('that was read before is not opened, whether there was one or not', () => {
    const path = fileOf('port = 1');
    assert.deepEqual(readConfiguration(path, {}, { text: 'host = "::1"' }).settings, {
      host: { text: '::1', source: `host in ${path}` },
    });
    assert.deepEqual(readConfiguration(path, {}, { text: undefined }), { text: undefined, settings: {} });
  });
});
