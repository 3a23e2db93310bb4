import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Configuration of an authority that signs its own certificate; only `openssl ca` takes any dates. */
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

/**
 * Makes a certificate for 127.0.0.1 that signs itself, in a folder without other files.
 *
 * @param end the last moment at which it is valid, as `20991231235959Z`; it begins with the year 2025
 */
export function makeCertificate(folder: string, end: string) {
  for (const [name, text] of Object.entries({ 'ca.cnf': authority, 'index.txt': '', serial: '01\n' }))
    writeFileSync(join(folder, name), text);
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' });
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'key.pem', '-out', 'request.pem', ...subject);
  const sign = ['ca', '-batch', '-config', 'ca.cnf', '-selfsign', '-keyfile', 'key.pem', '-notext'];
  const dates = ['-startdate', '20250101000000Z', '-enddate', end];
  openssl(...sign, '-in', 'request.pem', '-out', 'cert.pem', ...dates);
  const file = join(folder, 'cert.pem');
  return { file, cert: readFileSync(file), key: readFileSync(join(folder, 'key.pem')) };
}
