import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readSettings } from '../config.ts';
import { conflictMessage, requireNoConflict, settingConflicts } from './setting-conflicts.ts';

type Texts = Readonly<Record<string, string>>;

const conflictsOf = (texts: Texts) => settingConflicts(readSettings(texts, {})).map(conflictMessage);

describe('settings that contradict each other', () => {
  test('are backups without a folder, and a folder without backups', () => {
    assert.match(conflictsOf({ backupEveryMs: '6h' }).join(), /^--backup-every needs .* --backup-to/);
    assert.match(conflictsOf({ backupTo: '/backup' }).join(), /^--backup-to needs .* --backup-every/);
    assert.deepEqual(conflictsOf({ backupEveryMs: '6h', backupTo: '/backup' }), []);
  });

  const shared: readonly Texts[] = [
    { consoleListen: '8080' },
    { host: 'localhost', consoleListen: '8080' },
    { host: '0.0.0.0', consoleListen: '10.0.0.5:8080' },
    { host: '::', consoleListen: '10.0.0.5:8080' },
    { consoleListen: '[::]:8080' },
  ];
  for (const texts of shared) {
    test(`are two listeners on one address: ${JSON.stringify(texts)}`, () => {
      const expected = /^--port and --console-listen are both 8080; choose another port for one of them$/;
      assert.match(conflictsOf(texts).join(), expected);
    });
  }

  test('are metrics on the port of the operations or of the console', () => {
    assert.match(conflictsOf({ metrics: '127.0.0.1:8080' }).join(), /^--port and --metrics are both 8080;/);
    const besides = conflictsOf({ metrics: '127.0.0.1:9464', consoleListen: '9464' });
    assert.match(besides.join(), /^--console-listen and --metrics are both 9464;/);
  });

  const separate: readonly Texts[] = [
    {},
    { consoleListen: '8081', metrics: '127.0.0.1:9464' },
    { consoleListen: '10.0.0.5:8080' },
    { host: '0.0.0.0', consoleListen: '[::1]:8080' },
    { consoleListen: '8080', console: 'off' },
    // The system chooses a port for each.
    { port: '0', consoleListen: '0', metrics: '127.0.0.1:0' },
  ];
  for (const texts of separate) {
    test(`are not listeners on separate addresses: ${JSON.stringify(texts)}`, () => {
      assert.deepEqual(conflictsOf(texts), []);
    });
  }

  test('stop a start with the first conflict', () => {
    assert.throws(() => requireNoConflict(readSettings({ backupTo: '/backup', consoleListen: '8080' }, {})), {
      name: 'SettingError',
      message: /^--backup-to needs/,
    });
    requireNoConflict(readSettings({}, {}));
  });
});
