import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BusyError } from '../../../errors/busy-error.ts';
import { OutcomeUnknownError } from '../../database.ts';
import { isDamage, isDiskFault, mayBeInLog, toBusyError } from './sqlite-error.ts';

function sqliteError(errcode: number): Error {
  return Object.assign(new Error(`error ${errcode}`), { errcode });
}

const [busy, readOnlyMoved, ioErrorRead, ioErrorWrite, ioErrorFsync] = [5, 1032, 266, 778, 1034];
const [corruptIndex, full, cannotOpen, constraint, notADatabase] = [779, 13, 14, 19, 26];

test("faults of the database's surroundings are reported as busy, and faults of a statement are not", () => {
  for (const code of [
    busy,
    readOnlyMoved,
    ioErrorRead,
    ioErrorFsync,
    corruptIndex,
    full,
    cannotOpen,
    notADatabase,
  ]) {
    const error = sqliteError(code);
    const told = toBusyError(error);
    assert.ok(told instanceof BusyError, String(code));
    assert.match(told.message, new RegExp(`^the database .*: error ${code}$`));
    assert.equal(told.cause, error);
  }
  for (const error of [sqliteError(constraint), sqliteError(1), new TypeError('x'), 'text']) {
    assert.equal(toBusyError(error), error);
  }
});

test('a commit that fails after its log was written is not reported as without effect', () => {
  for (const code of [full, ioErrorWrite, readOnlyMoved, busy])
    assert.equal(mayBeInLog(sqliteError(code)), false, String(code));
  for (const code of [ioErrorFsync, ioErrorRead, 4874])
    assert.equal(mayBeInLog(sqliteError(code)), true, String(code));
});

test('damage and disk faults are distinguished from locks, even as the cause of another error', () => {
  assert.deepEqual(
    [corruptIndex, notADatabase, full].map((code) => isDamage(sqliteError(code))),
    [true, true, false],
  );
  assert.equal(isDiskFault(toBusyError(sqliteError(full))), true);
  assert.equal(isDiskFault(new OutcomeUnknownError(false, { cause: sqliteError(ioErrorFsync) })), true);
  assert.equal(isDiskFault(new BusyError('locked', { cause: sqliteError(busy) })), false);
});

test('every environmental fault of SQLite has a message, and only those of the disk count against it', () => {
  const faults = [
    [5, 'is locked by another process', { disk: false, damage: false }],
    [6, 'is locked by another statement', { disk: false, damage: false }],
    [8, 'can only be read', { disk: true, damage: false }],
    [10, 'cannot be read or written, because its disk is failing', { disk: true, damage: false }],
    [11, 'is damaged', { disk: false, damage: true }],
    [13, 'has no room left on its disk', { disk: true, damage: false }],
    // The code of a full disk when the first connection opens the database.
    [4874, 'has no room left on its disk', { disk: true, damage: false }],
    [14, 'cannot be opened', { disk: true, damage: false }],
    [15, 'is locked by another process', { disk: false, damage: false }],
    [26, 'is damaged', { disk: false, damage: true }],
  ] as const;
  for (const [code, words, expected] of faults) {
    const error = sqliteError(code);
    assert.equal((toBusyError(error) as Error).message, `the database ${words}: error ${code}`);
    assert.deepEqual({ disk: isDiskFault(error), damage: isDamage(error) }, expected, words);
  }
});

test('an error from elsewhere is neither damage nor a disk fault', () => {
  for (const other of [new Error('broken'), { errcode: 11 }, 'text', undefined]) {
    assert.equal(toBusyError(other), other);
    assert.equal(isDamage(other), false);
    assert.equal(isDiskFault(other), false);
    assert.equal(mayBeInLog(other), false);
  }
});
