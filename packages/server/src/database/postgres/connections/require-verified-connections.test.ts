import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { requireVerifiedConnections, UnverifiedConnectionError } from './require-verified-connections.ts';

const { PGSSLMODE, PGHOST, NODE_TLS_REJECT_UNAUTHORIZED } = process.env;

afterEach(() => {
  for (const [name, value] of Object.entries({ PGSSLMODE, PGHOST, NODE_TLS_REJECT_UNAUTHORIZED })) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

const refused: readonly (readonly [url: string, message: RegExp])[] = [
  [
    'postgres://u:geheim@db.example/n',
    /^the database at db\.example would be reached without TLS; add sslmode/,
  ],
  ['postgres://u:geheim@10.0.0.7/n', /at 10\.0\.0\.7 .* without TLS/],
  ['postgres://u:geheim@[2001:db8::1]/n', /without TLS/],
  ['postgres://u:geheim@127.0.0.1.example/n', /without TLS/],
  ['postgres://u:geheim@db.example/n?sslmode=disable', /without TLS/],
  ['postgres://u:geheim@db.example/n?ssl=0', /without TLS/],
  ['postgres://u:geheim@db.example/n?sslmode=no-verify', /does not check its certificate/],
  ['postgres://u:geheim@db.example/n?ssl=no-verify', /does not check its certificate/],
  ['postgres://u:geheim@db.example/n?uselibpqcompat=true&sslmode=require', /does not check its certificate/],
  ['postgres://u:geheim@db.example/n?uselibpqcompat=true&sslmode=prefer', /does not check its certificate/],
  ['postgres://u:geheim@localhost,db.example/n', /at db\.example/],
  ['postgres://u:geheim@localhost/n?host=db.example', /at db\.example/],
];

const accepted = [
  'postgres://u@localhost/n',
  'postgres://u@127.0.0.1:5433/n?sslmode=disable',
  'postgres://u@127.8.8.8/n',
  'postgres://u@[::1]/n',
  'postgres://u@/n?host=%2Frun%2Fpostgresql',
  'postgres://u@db.example/n?sslmode=verify-full',
  'postgres://u@db.example/n?ssl=true',
  // Unlike other programs, the driver also checks the certificate under these names; these lines fail if a later
  // release no longer does.
  'postgres://u@db.example/n?sslmode=verify-ca',
  'postgres://u@db.example/n?sslmode=require',
  'postgres://u@db.example/n?sslmode=prefer',
  'postgres://u@db.example/n?sslmode=allow',
];

describe('a connection to PostgreSQL', () => {
  for (const [url, message] of refused) {
    test(`by ${url} is refused`, () => {
      assert.throws(
        () => requireVerifiedConnections(url),
        (error: unknown) =>
          error instanceof UnverifiedConnectionError &&
          message.test(error.message) &&
          !error.message.includes('geheim'),
      );
    });
  }

  for (const url of accepted) {
    test(`by ${url} is accepted`, () => requireVerifiedConnections(url));
  }

  test('is judged with the variables that the driver and Node.js read', () => {
    process.env.PGSSLMODE = 'verify-full';
    requireVerifiedConnections('postgres://u@db.example/n');
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    assert.throws(() => requireVerifiedConnections('postgres://u@db.example/n'), /does not check/);
    process.env.PGSSLMODE = 'no-verify';
    assert.throws(() => requireVerifiedConnections('postgres://u@db.example/n'), /does not check/);
    process.env.PGHOST = 'db.example';
    assert.throws(() => requireVerifiedConnections('postgres:///n'), /at db\.example/);
  });
});
