import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import {
  type AcceptanceClaim,
  AlreadyAcceptedError,
  ClaimsPurgedError,
  NonceUsedError,
} from '../database.ts';
import { auditRows, newClaim, newTenant, newUser, type Subject, write } from './subject.ts';

export function testClaims(subject: Subject): void {
  test('a claim is made once: the second write is refused as a copy and leaves no trace', async () => {
    const tenant = await newTenant(subject);
    const claim = newClaim(subject);
    await write(subject, tenant, (directory) => directory.insertUser('first', {}), claim);
    const before = await auditRows(subject, tenant);
    // On PostgreSQL the work begins before the claim is answered.
    const copies = [
      write(subject, tenant, (directory) => directory.insertUser('second', {}), claim),
      write(subject, tenant, () => Promise.reject(new Error('another refusal')), claim),
    ];
    await Promise.all(copies.map((second) => assert.rejects(second, AlreadyAcceptedError)));
    assert.equal(await subject.under.database.directory(tenant).findUser({ username: 'second' }), undefined);
    assert.deepEqual(await auditRows(subject, tenant), before);
  });

  test('exactly one of many simultaneous copies, over two connections, takes effect', async () => {
    const tenant = await newTenant(subject);
    const id = await newUser(subject, tenant);
    const claim = newClaim(subject);
    const other = subject.under.second;
    const copies = Array.from({ length: 10 }, (_, index) =>
      write(
        {
          ...subject,
          under: { ...subject.under, database: index % 2 === 0 ? subject.under.database : other },
        },
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
    assert.equal((await subject.under.database.directory(tenant).findUser({ id }))?.phone, 'x');
  });

  test('a copy is refused before it makes its claim, once the first one took effect', async () => {
    const tenant = await newTenant(subject);
    const { database, second } = subject.under;
    const claim = newClaim(subject);
    for (const each of [database, second]) await each.claims.refuseCopy(claim);
    const failing = write(subject, tenant, () => Promise.reject(new Error('undone')), claim);
    await assert.rejects(failing, { message: 'undone' });
    await write(
      subject,
      tenant,
      async () => {
        for (const each of [database, second]) await each.claims.refuseCopy(claim);
      },
      claim,
    );
    const nonce = { appId: 'app', value: randomUUID() };
    await database.claims.make({ nonce, requestId: 'r', expiresAtSeconds: claim.expiresAtSeconds });
    for (const each of [database, second]) {
      await assert.rejects(each.claims.refuseCopy({ ...claim, requestId: 'another' }), AlreadyAcceptedError);
      await each.claims.refuseCopy({ ...newClaim(subject), nonce });
    }
  });

  test('another signature is another claim, and a write without a claim is never refused', async () => {
    const tenant = await newTenant(subject);
    await write(subject, tenant, async () => undefined, newClaim(subject));
    await write(subject, tenant, async () => undefined, newClaim(subject));
    await write(subject, tenant, async () => undefined);
    await write(subject, tenant, async () => undefined);
  });

  test('a nonce is claimed once for an application, by reads and writes alike', async () => {
    const tenant = await newTenant(subject);
    const { claims } = subject.under.database;
    const value = randomUUID();
    const claimOf = (appId: string) => ({ ...newClaim(subject), nonce: { appId, value } });
    const { signature: _, ...ofNonce } = claimOf('one');
    await claims.make(ofNonce);
    await assert.rejects(claims.make(ofNonce), NonceUsedError);
    const writing = write(subject, tenant, async () => undefined, claimOf('one'));
    await assert.rejects(writing, NonceUsedError);
    await write(subject, tenant, async () => undefined, claimOf('two'));
    await assert.rejects(claims.make(claimOf('two')), NonceUsedError);
  });

  test('a write with a nonce that comes again is called accepted, not one whose nonce is used', async () => {
    const tenant = await newTenant(subject);
    const claim = { ...newClaim(subject), nonce: { appId: 'app', value: randomUUID() } };
    await write(subject, tenant, async () => undefined, claim);
    const again = write(subject, tenant, async () => undefined, claim);
    await assert.rejects(
      again,
      (error) => error instanceof AlreadyAcceptedError && !(error instanceof NonceUsedError),
    );
  });

  test('a refused nonce leaves no claim of the signature that came with it', async () => {
    const tenant = await newTenant(subject);
    const claim = newClaim(subject);
    const withNonce = { ...claim, nonce: { appId: 'app', value: randomUUID() } };
    const { signature: _, ...ofNonce } = withNonce;
    await subject.under.database.claims.make(ofNonce);
    await assert.rejects(
      write(subject, tenant, async () => undefined, withNonce),
      AlreadyAcceptedError,
    );
    await write(subject, tenant, async () => undefined, claim);
  });

  test('only a purge frees a nonce, at any time', async () => {
    const { under, clock } = subject;
    const { claims } = under.database;
    const nowMs = clock.nowMs;
    const nonce = { appId: 'app', value: randomUUID() };
    const claim = { nonce, requestId: 'r', expiresAtSeconds: 500 };
    await claims.make(claim);
    clock.nowMs += 3_600_000;
    await assert.rejects(claims.make({ ...claim, expiresAtSeconds: 5_000 }), AlreadyAcceptedError);
    clock.nowMs = nowMs;
    await claims.purge(501);
    await claims.make({ ...claim, expiresAtSeconds: 5_000 });
    await assert.rejects(claims.make({ ...claim, expiresAtSeconds: 6_000 }), AlreadyAcceptedError);
  });

  test('a purge drops the oldest expired claims, counts them, and refuses writes that may have been among them', async () => {
    const tenant = await newTenant(subject);
    const { claims } = subject.under.database;
    const at = (expiresAtSeconds: number) => ({ ...newClaim(subject), expiresAtSeconds });
    const nonceAt = (expiresAtSeconds: number) => ({
      nonce: { appId: 'app', value: randomUUID() },
      requestId: 'r',
      expiresAtSeconds,
    });
    const writeWith = (claim: AcceptanceClaim) => write(subject, tenant, async () => undefined, claim);
    const [old, edge, oldNonce] = [at(999), at(1000), nonceAt(998)];
    for (const claim of [old, edge]) await writeWith(claim);
    for (const claim of [oldNonce, nonceAt(1000)]) await claims.make(claim);
    assert.equal(await claims.purge(1000), 2);
    assert.equal(await claims.purge(1000), 0);
    await assert.rejects(writeWith(old), ClaimsPurgedError);
    await assert.rejects(claims.make(oldNonce), ClaimsPurgedError);
    await assert.rejects(writeWith(edge), AlreadyAcceptedError);
    await assert.rejects(writeWith(at(999)), (error) => {
      assert(error instanceof ClaimsPurgedError);
      assert.deepEqual([error.expiresAtSeconds, error.purgedThroughSeconds], [999, 999]);
      return true;
    });
    await writeWith(at(1000));
    assert.equal((await claims.status()).purgedThroughSeconds, 999);
    assert.equal(await claims.purge(1001), 3);
    await assert.rejects(writeWith(edge), ClaimsPurgedError);
  });

  test('an existing claim counts, even when later ones were purged', async () => {
    const tenant = await newTenant(subject);
    const { db, database } = subject.under;
    const claim = { ...newClaim(subject), expiresAtSeconds: 2_000 };
    await write(subject, tenant, async () => undefined, claim);
    await db.updateTable('counter').set({ value: 2_001n }).where('name', '=', 'purged_through').execute();
    await assert.rejects(
      write(subject, tenant, async () => undefined, claim),
      AlreadyAcceptedError,
    );
    assert.equal(await database.claims.purge(2_001), 1);
    assert.equal((await database.claims.status()).purgedThroughSeconds, 2_001);
  });

  test('many expired claims are purged a few thousand at a time, the oldest first', async () => {
    const { db, database } = subject.under;
    await database.claims.purge(9_000);
    const signature = (index: number) => Buffer.from(String(index).padStart(32));
    for (let start = 0; start < 12_000; start += 1_000) {
      const rows = Array.from({ length: 1_000 }, (_, index) => ({
        expires_at_seconds: 10_000n + BigInt(start + index),
        signature: signature(start + index),
        request_id: 'r',
      }));
      await db.insertInto('accepted_write').values(rows).execute();
    }
    const purged = [
      await database.claims.purge(50_000),
      (await database.claims.status()).purgedThroughSeconds,
    ];
    assert.deepEqual(purged, [5_000, 14_999]);
    assert.equal(await database.claims.purge(50_000), 5_000);
    assert.equal(await database.claims.purge(50_000), 2_000);
    assert.equal(await database.claims.purge(50_000), 0);
  });

  test('an operator may lower the time through which claims were purged, which every tenant can see in its audit', async () => {
    const tenant = await newTenant(subject);
    const { claims } = subject.under.database;
    const claim = { ...newClaim(subject), expiresAtSeconds: 40_000 };
    await write(subject, tenant, async () => undefined, claim);
    await claims.purge(40_001);
    assert.equal(await claims.lowerPurgedThrough(39_000), true);
    assert.equal(await claims.lowerPurgedThrough(39_000), false);
    assert.equal((await claims.status()).purgedThroughSeconds, 39_000);
    const row = (await auditRows(subject, tenant)).at(-1);
    assert.equal(row?.operation, 'claims reset');
    assert.equal(row?.changes, '{"purged_through":{"from":40000,"to":39000}}');
    // The price of the reset: this claim was purged, so its request is accepted again.
    await write(subject, tenant, async () => undefined, claim);
  });
}
