import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { AlreadyAcceptedError } from '../store.ts';
import { auditRows, newClaim, newTenant, newUser, type Subject, write } from './subject.ts';

export function testClaims(subject: Subject): void {
  test('a claim is made once: the second write is told so, runs nothing and leaves nothing', async () => {
    const tenant = await newTenant(subject);
    const claim = newClaim(subject);
    await write(subject, tenant, (directory) => directory.insertUser('first', {}), claim);
    const before = await auditRows(subject, tenant);
    let ran = false;
    const second = write(
      subject,
      tenant,
      async (directory) => {
        ran = true;
        return directory.insertUser('second', {});
      },
      claim,
    );
    await assert.rejects(second, AlreadyAcceptedError);
    assert.equal(ran, false);
    assert.deepEqual(await auditRows(subject, tenant), before);
  });

  test('of many copies at once, over two stores, exactly one takes effect', async () => {
    const tenant = await newTenant(subject);
    const id = await newUser(subject, tenant);
    const claim = newClaim(subject);
    const other = subject.under.second;
    const copies = Array.from({ length: 10 }, (_, index) =>
      write(
        { ...subject, under: { ...subject.under, store: index % 2 === 0 ? subject.under.store : other } },
        tenant,
        async (directory) => {
          const user = await directory.lockUser({ id });
          await directory.updateUser(id, { phone: `${user?.phone}x` });
        },
        claim,
      ),
    );
    const outcomes = await Promise.allSettled(copies);
    const refusals = outcomes.filter((outcome) => outcome.status === 'rejected');
    assert.equal(refusals.length, 9);
    assert(refusals.every(({ reason }) => reason instanceof AlreadyAcceptedError));
    assert.equal((await subject.under.store.directory(tenant).findUser({ id }))?.phone, 'x');
  });

  test('another signature is another claim, and no claim is never refused', async () => {
    const tenant = await newTenant(subject);
    await write(subject, tenant, async () => undefined, newClaim(subject));
    await write(subject, tenant, async () => undefined, newClaim(subject));
    await write(subject, tenant, async () => undefined);
    await write(subject, tenant, async () => undefined);
  });

  test('a nonce is claimed once for an application, by reads and writes alike', async () => {
    const tenant = await newTenant(subject);
    const { store } = subject.under;
    const value = randomUUID();
    const claimOf = (appId: string) => ({ ...newClaim(subject), nonce: { appId, value } });
    const { expiresAtSeconds, nonce } = claimOf('one');
    await store.claim({ expiresAtSeconds, nonce });
    await assert.rejects(store.claim({ expiresAtSeconds, nonce }), AlreadyAcceptedError);
    const writing = write(subject, tenant, async () => undefined, claimOf('one'));
    await assert.rejects(writing, AlreadyAcceptedError);
    await write(subject, tenant, async () => undefined, claimOf('two'));
    await assert.rejects(store.claim(claimOf('two')), AlreadyAcceptedError);
  });

  test('a refused nonce leaves no claim of the signature that came with it', async () => {
    const tenant = await newTenant(subject);
    const nonce = { appId: 'app', value: randomUUID() };
    const claim = newClaim(subject);
    await subject.under.store.claim({ expiresAtSeconds: claim.expiresAtSeconds, nonce });
    const refused = write(subject, tenant, async () => undefined, { ...claim, nonce });
    await assert.rejects(refused, AlreadyAcceptedError);
    await write(subject, tenant, async () => undefined, claim);
  });

  test('a nonce is free again once its time is over, and not in its last second', async () => {
    const { under, clock } = subject;
    const nowMs = clock.nowMs;
    const expiresAtSeconds = Math.floor(nowMs / 1000) + 60;
    const claim = { expiresAtSeconds, nonce: { appId: 'app', value: randomUUID() } };
    await under.store.claim(claim);
    clock.nowMs = expiresAtSeconds * 1000;
    await assert.rejects(under.store.claim(claim), AlreadyAcceptedError);
    clock.nowMs = (expiresAtSeconds + 1) * 1000;
    await under.store.claim({ ...claim, expiresAtSeconds: expiresAtSeconds + 61 });
    await assert.rejects(under.store.claim(claim), AlreadyAcceptedError);
    clock.nowMs = nowMs;
  });

  test('claims that expired before a time are forgotten and counted, and no others', async () => {
    const tenant = await newTenant(subject);
    const { store } = subject.under;
    const at = (expiresAtSeconds: number) => ({ signature: randomBytes(32), expiresAtSeconds });
    const nonceAt = (expiresAtSeconds: number) => ({
      nonce: { appId: 'app', value: randomUUID() },
      expiresAtSeconds,
    });
    const [old, edge] = [at(999), at(1000)];
    for (const claim of [old, edge]) await write(subject, tenant, async () => undefined, claim);
    for (const claim of [nonceAt(998), nonceAt(1000)]) await store.claim(claim);
    assert.equal(await store.forgetClaims(1000), 2);
    assert.equal(await store.forgetClaims(1000), 0);
    await write(subject, tenant, async () => undefined, old);
    await assert.rejects(
      write(subject, tenant, async () => undefined, edge),
      AlreadyAcceptedError,
    );
    assert.equal(await store.forgetClaims(1001), 3);
  });
}
