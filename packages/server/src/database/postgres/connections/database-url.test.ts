import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import { DatabaseUrlError, parseDatabaseUrl } from './database-url.ts';

describe('a database URL', () => {
  test('of one host is used as it is', () => {
    assert.deepEqual(parseDatabaseUrl('postgres://u:p%40x@db.example:5433/name?sslmode=verify-full'), {
      connectionStrings: ['postgres://u:p%40x@db.example:5433/name?sslmode=verify-full'],
      hosts: ['db.example:5433'],
      location: 'db.example:5433/name',
    });
  });

  test('of several hosts gives one connection string for each, in their order', () => {
    const { connectionStrings, hosts, location } = parseDatabaseUrl(
      'postgresql://u:p@a:5432,b:5433/name?target_session_attrs=read-write&sslmode=disable',
    );
    assert.deepEqual(connectionStrings, [
      'postgresql://u:p@a:5432/name?sslmode=disable',
      'postgresql://u:p@b:5433/name?sslmode=disable',
    ]);
    assert.deepEqual(hosts, ['a:5432', 'b:5433']);
    assert.equal(location, 'a:5432,b:5433/name');
  });

  test('gets verify-full in place of its aliases, of which the driver would warn', () => {
    const modeOf = (query: string) => parseDatabaseUrl(`postgres://h/n?${query}`).connectionStrings;
    for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full'])
      assert.deepEqual(modeOf(`sslmode=${mode}`), ['postgres://h/n?sslmode=verify-full']);
    // The driver uses the last one.
    assert.deepEqual(modeOf('sslmode=disable&sslmode=require'), ['postgres://h/n?sslmode=verify-full']);
    for (const query of [
      'sslmode=disable',
      'sslmode=allow',
      'sslmode=no-verify',
      'sslmode=require&sslmode=disable',
      'uselibpqcompat=true&sslmode=require',
    ])
      assert.deepEqual(modeOf(query), [`postgres://h/n?${query}`]);
  });

  test('of a socket names its folder', () => {
    assert.equal(
      parseDatabaseUrl('postgres://u@/name?host=%2Frun%2Fpostgresql').location,
      '/run/postgresql/name',
    );
  });

  test('is refused with its fault if the driver could not read it, and no message shows its password', () => {
    const faults: readonly (readonly [string, RegExp])[] = [
      ['postgres://u:ge#heim@h/n', /without the character #.* %23/],
      ['postgres://u:12#heim@h/n', /without the character #/],
      ['postgres://u:geheim@h/n ', /^a URL without white space.* at its beginning or end$/],
      ['postgres://u:geheim@h/n\n', /^a URL without white space/],
      ['postgres://u@h/n\nheim', /^a URL on one line, without control characters$/],
      ['postgres://u:geheim@h\r\n/n', /^a URL on one line/],
      ['postgres://u:geheim@h/n?sslmode=\u001bbogus', /^a URL on one line/],
      ['\uFEFFpostgres://u:geheim@h/n', /^a URL without white space.* a byte order mark/],
      ['postgres://u:geheim@h:x/n', /port is a number from 1 to 65535/],
      ['postgres://u:geheim@h:5432,i:70000/n', /port is a number/],
      ['postgres://u:geheim@h/n?port=x', /port is a number/],
      ['postgres://u:ge/heim@h/n', /port is a number.*must be percent-encoded.* \/ as %2F/],
      ['postgres://u:geheim%ff@h/n', /must be percent-encoded/],
      ['postgres://u:geheim@h/n?sslmode=require&sslmode=bogus', /sslmode is one of/],
      ['postgres://u:geheim@h/n?uselibpqcompat=true&sslmode=verify-ca', /^a URL whose sslrootcert names the/],
      ['postgres://u:geheim@h/n?sslmode=bogus', /sslmode is one of disable, .*verify-full/],
    ];
    for (const [text, message] of faults) {
      assert.throws(
        () => parseDatabaseUrl(text),
        (error: unknown) =>
          error instanceof DatabaseUrlError &&
          message.test(error.message) &&
          !/geheim|heim|bogus|12/.test(error.message),
        text,
      );
    }
  });

  test('is accepted in every form that the driver reads', () => {
    for (const text of [
      'postgres://u:p%23%2F%25@h/n',
      'postgres://u:50%@h/n',
      'postgres://u:p w@h/n',
      'postgres://u:p@w@h/n',
      'postgres://[::1]:5432/n',
      'postgres://u@/n?host=%2Frun%2Fpostgresql&port=5433',
      'postgres:///n?sslmode=',
      'postgres://h?sslmode=no-verify',
    ]) {
      const { connectionStrings } = parseDatabaseUrl(text);
      assert.doesNotThrow(() => new pg.Client({ connectionString: connectionStrings[0] ?? '' }), text);
      assert.equal(connectionStrings.length, 1);
    }
  });

  test('that is malformed is refused, and the message shows no part of its password', () => {
    for (const text of ['mysql://u:geheim@h/n', 'u:geheim@h', 'postgres:geheim']) {
      assert.throws(
        () => parseDatabaseUrl(text),
        (error: unknown) => error instanceof DatabaseUrlError && !error.message.includes('geheim'),
      );
    }
    assert.throws(
      () => parseDatabaseUrl('postgres://h/n?target_session_attrs=standby'),
      /any, read-write, primary/,
    );
  });
});
