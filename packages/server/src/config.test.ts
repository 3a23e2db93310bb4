import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings, SettingError, type Settings, settingDefinitions } from './config.ts';

interface Example {
  readonly text: string;
  readonly value: Settings[keyof Settings];
  readonly refused: readonly string[];
  /** The accepted values, as the message names them. */
  readonly accepted: RegExp;
}

const examples: { readonly [Key in keyof Settings]: Example } = {
  host: {
    text: '[fe80::1%eth0]',
    value: 'fe80::1%eth0',
    refused: [' ', '"0.0.0.0"', '0.0.0.0\r', '127.0.0.1:8080', '[127.0.0.1]', 'http://a.example', '*'],
    accepted: /an address such as .*, or a host name/,
  },
  port: { text: '0', value: 0, refused: ['-1', '65536', 'http', '80.5', '0x50'], accepted: /0 to 65535/ },
  data: {
    text: `/Ann's "old" data/數據/~x`,
    value: `/Ann's "old" data/數據/~x`,
    refused: [' ', '"/var/lib/x"', "'x'", '/var/lib/x\r', '/var/lib/x\n', ' x', '~', '~/x'],
    accepted:
      /must be a (path without (quotes|~)|path that neither begins nor ends|string that is not empty)/,
  },
  basePath: {
    text: '/api/v1/',
    value: '/api/v1',
    refused: ['api', '/a b', '/a//b', '/a?b', '/é', '/%41', '/:id', '/*', '/.', '/a/../b', '/a/..'],
    accepted: /a path such as \/api\/v1/,
  },
  httpStatus: {
    text: 'standard',
    value: 'standard',
    refused: ['Standard', '200'],
    accepted: /one of compatible, standard/,
  },
  replay: { text: 'nonce', value: 'nonce', refused: ['on', 'NONCE'], accepted: /one of write, nonce, off/ },
  bodyBytesMax: {
    text: '2048',
    value: 2048,
    refused: ['1023', '1MiB', '67108865'],
    accepted: /1024 to 67108864/,
  },
  batchBodyBytesMax: {
    text: '1048576',
    value: 1_048_576,
    refused: ['0', '8 MiB', '999999999999999999'],
    accepted: /1024 to 268435456/,
  },
  rateLimit: { text: '0', value: 0, refused: ['-1', '1.5', '1000001'], accepted: /0 to 1000000/ },
  trustProxy: {
    text: '10.0.0.1, 192.168.0.0/16,::1,fe80::1%eth0',
    value: '10.0.0.1,192.168.0.0/16,::1,fe80::1%eth0',
    refused: ['33', '-1', 'proxy.example', '10.0.0.1/33', '10.0.0.1/', '10.0.0.0/8/8', '10.0.0.1,'],
    accepted: /number of proxies up to 32, or their addresses/,
  },
  corsOrigin: {
    text: 'https://admin.example, http://localhost:5173',
    value: 'https://admin.example,http://localhost:5173',
    refused: [
      '*',
      'null',
      'admin.example',
      'https://admin.example/',
      'https://*.example',
      'https://a.example,',
      ...[
        'https://a.example:443',
        'https://A.example',
        'https://u@a.example',
        'file:///',
        'https://é.example',
      ],
    ],
    accepted: /one origin, or several separated by commas, .*no \* and no path/,
  },
  connectionsMax: { text: '100', value: 100, refused: ['0', '15', '1000001'], accepted: /16 to 1000000/ },
  logLevel: {
    text: 'warn',
    value: 'warn',
    refused: ['debug', 'WARN'],
    accepted: /one of info, warn, error, silent/,
  },
  logFormat: {
    text: 'pretty',
    value: 'pretty',
    refused: ['text', 'JSON'],
    accepted: /one of auto, json, pretty/,
  },
  database: {
    text: 'postgres://u:p@db/fieldroster',
    value: 'postgres://u:p@db/fieldroster',
    refused: ['mysql://u:hidden@db/x', 'nonsense'],
    accepted: /postgres/,
  },
  databaseReplica: {
    text: 'postgresql://u:p@replica/fieldroster',
    value: 'postgresql://u:p@replica/fieldroster',
    refused: ['http://u:hidden@db/x'],
    accepted: /postgres/,
  },
  databasePoolSize: { text: '20', value: 20, refused: ['1', '1001'], accepted: /2 to 1000/ },
  databaseConnectTimeoutMs: { text: '500', value: 500, refused: ['99', '5s'], accepted: /100 to 60000/ },
  databaseStatementTimeoutMs: { text: '500', value: 500, refused: ['99', '5s'], accepted: /100 to 600000/ },
  waitForDatabaseSeconds: { text: '0', value: 0, refused: ['-1', '1m'], accepted: /0 to 86400/ },
  databaseInsecure: { text: 'yes', value: true, refused: ['on', 'true'], accepted: /one of yes, no/ },
  migrate: { text: 'no', value: false, refused: ['false', '0', 'No'], accepted: /one of yes, no/ },
  docs: { text: 'off', value: false, refused: ['yes', 'On'], accepted: /one of on, off/ },
  workers: { text: '4', value: 4, refused: ['0', '257', 'all'], accepted: /1 to 256/ },
  drainSeconds: { text: '5', value: 5, refused: ['-1', '3601', '5s'], accepted: /0 to 3600/ },
  overloadWaitMs: { text: '100', value: 100, refused: ['0', '60001', '100ms'], accepted: /1 to 60000/ },
  callsKeepDays: { text: '30', value: 30, refused: ['-1', '3651', '30d'], accepted: /0 to 3650/ },
  auditKeepDays: { text: '90', value: 90, refused: ['-1', '36501', '90d'], accepted: /0 to 36500/ },
  metrics: {
    text: '127.0.0.1:9464',
    value: '127.0.0.1:9464',
    refused: ['9464', '127.0.0.1', ':9464', '127.0.0.1:99999', 'http://127.0.0.1:9464'],
    accepted: /a host and a port/,
  },
  backupEveryMs: {
    text: '6h',
    value: 6 * 3_600_000,
    refused: ['59s', '32d', '6', '6 h'],
    accepted: /a duration from 60s to 31d/,
  },
  backupTo: {
    text: '/backup',
    value: '/backup',
    refused: ['"/backup"', '~/backup'],
    accepted: /a path without/,
  },
  backupKeep: { text: '28', value: 28, refused: ['0', '10001', 'all'], accepted: /1 to 10000/ },
  console: { text: 'off', value: false, refused: ['yes', 'On'], accepted: /one of on, off/ },
  consoleListen: {
    text: '8081',
    value: '127.0.0.1:8081',
    refused: [
      'localhost',
      ':8081',
      '127.0.0.1:',
      '65536',
      '::1:8081',
      'http://127.0.0.1:8081',
      '8081/console',
    ],
    accepted: /a port such as 8081, or a host and a port, such as 10\.0\.0\.5:8081 or \[::1\]:8081/,
  },
  publicUrl: {
    text: 'https://directory.example',
    value: 'https://directory.example',
    refused: ['directory.example', 'https://directory.example/', '*'],
    accepted: /one origin/,
  },
  secondFactor: {
    text: 'managers',
    value: 'managers',
    refused: ['yes', 'manager', 'Everyone'],
    accepted: /one of optional, owners, managers, everyone/,
  },
};

test('every setting has an example here, and every example is a setting', () => {
  const keys = settingDefinitions.map((definition) => definition.key);
  assert.deepEqual(keys.toSorted(), Object.keys(examples).sort());
  assert.deepEqual(Object.keys(readSettings({}, {})).sort(), keys.toSorted());
});

test('each setting has its own flag and variable, and accepts its default', () => {
  const flags = settingDefinitions.map((definition) => definition.flag.split(' ')[0]);
  const variables = settingDefinitions.map((definition) => definition.environment);
  assert.equal(new Set(flags).size, flags.length);
  assert.equal(new Set(variables).size, variables.length);
  for (const variable of variables) assert.match(variable, /^FIELDROSTER_[A-Z_]+$/);
  for (const { parse, defaultText } of settingDefinitions) parse(defaultText);
});

test('without flags and environment, the defaults are the documented ones', () => {
  const { host, port, data, basePath, httpStatus, replay, bodyBytesMax, batchBodyBytesMax, rateLimit } =
    readSettings({}, {});
  assert.deepEqual([host, port, data, basePath], ['127.0.0.1', 8080, './data', '']);
  assert.deepEqual([httpStatus, replay, rateLimit], ['compatible', 'write', 0]);
  assert.deepEqual([bodyBytesMax, batchBodyBytesMax], [1024 * 1024, 8 * 1024 * 1024]);
});

for (const { key, flag, environment, defaultText, secret } of settingDefinitions) {
  const { text, value, refused, accepted } = examples[key];
  const flagName = flag.split(' ')[0] ?? '';

  test(`${key} is set by ${flagName} and by ${environment}, and the flag wins`, () => {
    assert.equal(readSettings({ [key]: text }, {})[key], value);
    assert.equal(readSettings({}, { [environment]: text })[key], value);
    assert.equal(readSettings({ [key]: text }, { [environment]: defaultText })[key], value);
    const byDefault = readSettings({}, {})[key];
    assert.equal(readSettings({}, { [environment]: '' })[key], byDefault, 'empty counts as not set');
  });

  for (const wrong of refused) {
    test(`${key} of ${JSON.stringify(wrong)} is refused, and the message names it and what is accepted`, () => {
      const assertNamed = (source: string, read: () => unknown) =>
        assert.throws(read, (error: unknown) => {
          assert(error instanceof SettingError);
          assert(error.message.startsWith(`${source} is `), error.message);
          assert.equal(error.message.includes(JSON.stringify(wrong)), secret !== true, error.message);
          assert(!error.message.includes('hidden'), 'no password is repeated');
          assert.match(error.message, accepted);
          return true;
        });
      assertNamed(flagName, () => readSettings({ [key]: wrong }, {}));
      assertNamed(environment, () => readSettings({}, { [environment]: wrong }));
    });
  }
}

test('an empty flag counts as a value, not as a missing flag', () => {
  assert.throws(() => readSettings({ host: '' }, {}), SettingError);
});
