import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Subject } from './subject.ts';

export function testSettings(subject: Subject): void {
  test('a setting keeps its first value, even of two written at once', async () => {
    const { applications } = subject.under.database;
    const other = subject.under.second.applications;
    const name = randomUUID();
    assert.equal(await applications.readSetting(name), undefined);
    const kept = await Promise.all([
      applications.keepSetting(name, 'one'),
      other.keepSetting(name, 'two'),
      applications.keepSetting(name, 'three'),
    ]);
    assert.equal(new Set(kept).size, 1);
    assert.equal(await applications.readSetting(name), kept[0]);
  });
}
