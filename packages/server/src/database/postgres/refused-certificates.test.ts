import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { TLSSocket } from 'node:tls';
import { sql } from 'kysely';
import { temporaryFolder } from '../../../../../scripts/testing/temporary-folder.ts';
import { DatabaseBusyError } from '../database.ts';
import { openSessionWithoutTimeout } from './open.ts';
import { waitForDatabase } from './wait-for-database.ts';

const authority = `[ca]
default_ca = own
[own]
database = index.txt
new_certs_dir = .
serial = serial
default_md = sha256
policy = names
copy_extensions = copy
[names]
commonName = supplied
`;

/** Makes a certificate for 127.0.0.1 that was valid from 2025 until the end. */
function makeCertificate(t: TestContext, end: string) {
  const cwd = temporaryFolder(t, { 'ca.cnf': authority, 'index.txt': '' });
  writeFileSync(join(cwd, 'serial'), '01\n');
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd, stdio: 'ignore' });
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'key.pem', '-out', 'request.pem', ...subject);
  const dates = ['-startdate', '20250101000000Z', '-enddate', end];
  const sign = ['ca', '-batch', '-config', 'ca.cnf', '-selfsign', '-keyfile', 'key.pem', '-notext'];
  openssl(...sign, '-in', 'request.pem', '-out', 'cert.pem', ...dates);
  return { file: join(cwd, 'cert.pem'), key: readFileSync(join(cwd, 'key.pem')) };
}

/** Accepts the request for TLS that begins each connection to PostgreSQL, and shows the certificate. */
async function showCertificate(t: TestContext, { file, key }: { file: string; key: Buffer }) {
  const cert = readFileSync(file);
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
    /^the database at 127\.0\.0\.1:\d+\/n is unavailable: self-signed certificate\b.*; name the file with its authority’s certificate in sslrootcert of the database URL$/,
  ],
] as const) {
  test(`a certificate of the database that ${which} is a reason to answer 1503, and says what to do at once`, async (t) => {
    const certificate = makeCertificate(t, end);
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
      assert.ok(error instanceof DatabaseBusyError, String(error));
      assert.match(error.message, message);
      return true;
    });
    assert.equal(attempts, 1);
  });
}
