import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { TLSSocket } from 'node:tls';
import { sql } from 'kysely';
import { makeCertificate } from '../../../../../../scripts/testing/make-certificate.ts';
import { temporaryFolder } from '../../../../../../scripts/testing/temporary-folder.ts';
import { BusyError } from '../../../errors/busy-error.ts';
import { openSessionWithoutTimeout } from '../open.ts';
import { waitForDatabase } from './wait-for-database.ts';

/** Accepts the request for TLS that begins each connection to PostgreSQL, and shows the certificate. */
async function showCertificate(t: TestContext, { cert, key }: ReturnType<typeof makeCertificate>) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write('S');
      new TLSSocket(socket, { isServer: true, key, cert }).on('error', () => {});
    });
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

for (const [which, end, trusted, message] of [
  [
    'has expired',
    '20250201000000Z',
    true,
    /^the database at 127\.0\.0\.1:\d+\/n is unavailable: certificate has expired; renew the certificate of PostgreSQL, or correct the clock of this machine$/,
  ],
  [
    'nobody vouches for',
    '20991231235959Z',
    false,
    /^the database at 127\.0\.0\.1:\d+\/n is unavailable: self-signed certificate\b.*; set sslrootcert in the database URL to the file with the authority’s certificate$/,
  ],
] as const) {
  test(`a certificate of the database that ${which} is a reason to answer 1503, and says what to do at once`, async (t) => {
    const certificate = makeCertificate(temporaryFolder(t), end);
    const port = await showCertificate(t, certificate);
    const root = trusted ? `&sslrootcert=${certificate.file}` : '';
    const { db } = openSessionWithoutTimeout(
      `postgres://u:geheim@127.0.0.1:${port}/n?sslmode=verify-full${root}`,
      10_000,
    );
    t.after(() => db.destroy());
    let attempts = 0;
    const work = () => {
      attempts += 1;
      return sql`select 1`.execute(db);
    };
    const wait = { waitSeconds: 600, location: 'x', notice: () => {} };
    await assert.rejects(waitForDatabase(work, wait), (error) => {
      assert.ok(error instanceof BusyError, String(error));
      assert.match(error.message, message);
      return true;
    });
    assert.equal(attempts, 1);
  });
}
