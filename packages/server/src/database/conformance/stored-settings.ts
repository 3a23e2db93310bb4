import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Subject } from './subject.ts';

export function testStoredSettings(subject: Subject): void {
  test('a setting keeps its first value, even of two written at once', async () => {
    const { storedSettings } = subject.under.database;
    const other = subject.under.second.storedSettings;
    const name = randomUUID();
    assert.equal(await storedSettings.read(name), undefined);
    const kept = await Promise.all([
      storedSettings.keep(name, 'one'),
      other.keep(name, 'two'),
      storedSettings.keep(name, 'three'),
    ]);
    assert.equal(new Set(kept).size, 1);
    assert.equal(await storedSettings.read(name), kept[0]);
  });
}
