import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applicationsOf } from './applications-of.ts';
import { auditRows, int64Max, newTenant, type Subject } from './subject.ts';

export function testApplicationSecrets(subject: Subject): void {
  const { applications, sealed, newApplication, secretsOf } = applicationsOf(subject);

  test('secrets that are added at once leave two: the newest, and one that expires', async () => {
    const { appId } = await newApplication(await newTenant(subject));
    const end = subject.clock.nowMs + 60_000;
    const added = Array.from({ length: 8 }, () =>
      applications().addSecret(appId, { sealed: sealed(), oldExpiresAtMs: end }),
    );
    const ended = (await Promise.all(added)).flatMap((ids) => ids ?? assert.fail('the application is live'));
    assert.equal(new Set(ended).size, 7, 'each but the first ended one secret, and no two the same');
    assert.deepEqual(
      (await secretsOf(appId)).map(({ expiresAtMs }) => expiresAtMs),
      [end, undefined],
    );
  });

  test('a rotation sets an expiry of the old secret; both are listed, the older one first', async () => {
    const { appId, sealed: first } = await newApplication(await newTenant(subject));
    const createdAtMs = subject.clock.nowMs;
    const second = sealed();
    await applications().addSecret(appId, { sealed: second, oldExpiresAtMs: createdAtMs + 5000 });
    assert.deepEqual(await secretsOf(appId), [
      { sealed: first, createdAtMs, expiresAtMs: createdAtMs + 5000 },
      { sealed: second, createdAtMs },
    ]);
  });

  test('after many rotations, an application has only the two newest secrets', async () => {
    const { appId } = await newApplication(await newTenant(subject));
    const added = [sealed(), sealed(), sealed()];
    for (const each of added)
      await applications().addSecret(appId, { sealed: each, oldExpiresAtMs: subject.clock.nowMs + 5000 });
    assert.deepEqual(
      (await secretsOf(appId)).map((secret) => secret.sealed),
      added.slice(1),
    );
  });

  test('a rotation that replaces the newest secret leaves the one before it, with its end', async () => {
    const tenant = await newTenant(subject);
    const { appId, sealed: first } = await newApplication(tenant);
    const end = subject.clock.nowMs + 5000;
    await applications().addSecret(appId, { sealed: sealed(), oldExpiresAtMs: end });
    const lost = await applications().findApplication(appId);
    const replacing = sealed();
    const rotation = { sealed: replacing, oldExpiresAtMs: end + 5000, replaceNewest: true };
    assert.deepEqual(await applications().addSecret(appId, rotation), [lost?.secrets[1]?.id]);
    assert.deepEqual(
      (await secretsOf(appId)).map((secret) => [secret.sealed, secret.expiresAtMs]),
      [
        [first, end],
        [replacing, undefined],
      ],
    );
    const rotations = (await auditRows(subject, tenant)).filter(
      ({ operation }) => operation === 'app rotate',
    );
    const changes = { app_id: appId, old_secret_expires_at: new Date(end).toISOString() };
    assert.deepEqual(
      rotations.map((row) => JSON.parse(row.changes)),
      [changes, { ...changes, replaced_newest: true }],
    );
  });

  test('a rotation that would replace the only secret lets it expire instead', async () => {
    const { appId, sealed: first } = await newApplication(await newTenant(subject));
    const end = subject.clock.nowMs + 5000;
    const second = sealed();
    const rotation = { sealed: second, oldExpiresAtMs: end, replaceNewest: true };
    assert.deepEqual(await applications().addSecret(appId, rotation), []);
    assert.deepEqual(
      (await secretsOf(appId)).map((secret) => [secret.sealed, secret.expiresAtMs]),
      [
        [first, end],
        [second, undefined],
      ],
    );
  });

  test('a rotation removes an expired secret', async () => {
    const { appId } = await newApplication(await newTenant(subject));
    const { clock } = subject;
    await applications().addSecret(appId, { sealed: sealed(), oldExpiresAtMs: clock.nowMs });
    const [second, third] = [(await secretsOf(appId)).at(-1)?.sealed, sealed()];
    clock.nowMs += 1;
    await applications().addSecret(appId, { sealed: third, oldExpiresAtMs: clock.nowMs + 5000 });
    assert.deepEqual(
      (await secretsOf(appId)).map((secret) => secret.sealed),
      [second, third],
    );
    clock.nowMs -= 1;
  });

  test('a secret for an application that does not exist is refused', async () => {
    assert.equal(
      await applications().addSecret('unknown', { sealed: sealed(), oldExpiresAtMs: subject.clock.nowMs }),
      undefined,
    );
    assert.equal(await applications().findApplication('unknown'), undefined);
  });

  test('the last use is recorded for each secret separately', async () => {
    const { appId } = await newApplication(await newTenant(subject));
    await applications().addSecret(appId, { sealed: sealed(), oldExpiresAtMs: subject.clock.nowMs + 5000 });
    const [first] = (await applications().findApplication(appId))?.secrets ?? [];
    await applications().recordSecretsUsed(
      new Map([
        [first?.id ?? 0n, 1234],
        [int64Max, 5678],
      ]),
    );
    await applications().recordSecretsUsed(new Map());
    // A late report by another process.
    await applications().recordSecretsUsed(new Map([[first?.id ?? 0n, 1233]]));
    await subject.under.database.bookkeeping.flush();
    const used = (await secretsOf(appId)).map((secret) => secret.lastUsedAtMs);
    assert.deepEqual(used, [1234, undefined]);
    const updated = await applications().updateApplication(appId, { scope: 'read' });
    assert.deepEqual(
      updated?.secrets.map((secret) => secret.lastUsedAtMs),
      [1234, undefined],
    );
  });

  test('a use that a clock dated far ahead is replaced by the next one after the clock was set back', async () => {
    const { appId } = await newApplication(await newTenant(subject));
    const [secret] = (await applications().findApplication(appId))?.secrets ?? [];
    const id = secret?.id ?? 0n;
    const { bookkeeping } = subject.under.database;
    const usedAt = 1_000_000_000;
    for (const [recordedMs, expectedMs] of [
      [usedAt + 3_600_002, usedAt + 3_600_002],
      [usedAt + 2, usedAt + 3_600_002],
      [usedAt + 1, usedAt + 1],
    ] as const) {
      await applications().recordSecretsUsed(new Map([[id, recordedMs]]));
      await bookkeeping.flush();
      assert.equal((await secretsOf(appId))[0]?.lastUsedAtMs, expectedMs);
    }
  });
}
