import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appIdProblem, appSecretProblem, newAppId, newAppSecret } from './credentials.ts';

test('new credentials are valid, different each time, and a secret has 256 bits', () => {
  const ids = Array.from({ length: 50 }, newAppId);
  const secrets = Array.from({ length: 50 }, newAppSecret);
  assert.equal(new Set(ids).size, 50);
  assert.equal(new Set(secrets).size, 50);
  for (const id of ids) assert.equal(appIdProblem(id), undefined);
  for (const secret of secrets) {
    assert.equal(appSecretProblem(secret), undefined);
    assert.match(secret, /^[0-9a-f]{64}$/);
  }
});

test('an APPID has 1 to 64 visible ASCII characters and no colon', () => {
  for (const accepted of ['a', 'x'.repeat(64), 'A-1_b.c@d/e', '!~']) {
    assert.equal(appIdProblem(accepted), undefined, accepted);
  }
  for (const refused of ['', 'x'.repeat(65), 'a:b', 'a b', 'a\n', 'é', '字', '\u007f']) {
    assert.match(appIdProblem(refused) ?? '', /1 to 64/, refused);
  }
});

test('an APPSECRET has 1 to 512 characters and no control character', () => {
  for (const accepted of ['x', 'x'.repeat(512), '🦜'.repeat(512), 'a b:c', '字']) {
    assert.equal(appSecretProblem(accepted), undefined);
  }
  for (const refused of ['', 'x'.repeat(513), 'a\n', 'a\0b', '\u0085']) {
    assert.match(appSecretProblem(refused) ?? '', /1 to 512/);
  }
});
