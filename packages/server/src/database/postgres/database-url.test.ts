import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DatabaseUrlError, parseDatabaseUrl } from './database-url.ts';

describe('a database URL', () => {
  test('of one host is used as it is', () => {
    assert.deepEqual(parseDatabaseUrl('postgres://u:p%40x@db.example:5433/name?sslmode=require'), {
      connectionStrings: ['postgres://u:p%40x@db.example:5433/name?sslmode=require'],
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

  test('of a socket names its folder', () => {
    assert.equal(
      parseDatabaseUrl('postgres://u@/name?host=%2Frun%2Fpostgresql').location,
      '/run/postgresql/name',
    );
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
