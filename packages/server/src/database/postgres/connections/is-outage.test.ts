import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BusyError } from '../../../errors/busy-error.ts';
import { isOutage } from './wait-for-database.ts';

const withCode = (message: string, code: string) => Object.assign(new Error(message), { code });

test('an outage is what waiting cures: neither a refused login nor a damaged SQLite file', () => {
  const busy = (cause: Error) => new BusyError('the database is unavailable', { cause });
  assert.equal(isOutage(busy(withCode('connect', 'ECONNREFUSED'))), true);
  assert.equal(isOutage(busy(withCode('terminating connection', '57P01'))), true);
  assert.equal(isOutage(busy(withCode('canceling statement', '57014'))), true);
  assert.equal(isOutage(busy(withCode('password authentication failed', '28P01'))), false);
  assert.equal(isOutage(busy(withCode('database does not exist', '3D000'))), false);
  assert.equal(isOutage(busy(withCode('database disk image is malformed', 'ERR_SQLITE_ERROR'))), false);
});
