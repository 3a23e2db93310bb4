import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { reservePort } from '../../packages/server/test/reserve-port.ts';
import { collectResult, repositoryRoot, spawnFieldroster } from '../fieldroster-command.ts';
import { ServerProcess } from '../server-process.ts';
import { deploymentPath, readDeploymentFile } from './deployment-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-compose-'));
after(() => rmSync(folder, { recursive: true }));

if (process.getuid?.() === 0) {
  test('create-secrets.sh makes each secret readable only by the user that needs it, and overwrites none', () => {
    const create = () => spawnSync(deploymentPath('create-secrets.sh'), [folder], { encoding: 'utf8' });
    const { status, stderr } = create();
    assert.deepEqual([status, stderr], [0, '']);
    const read = (name: string) => readFileSync(join(folder, 'secrets', name), 'utf8');
    const owner = read('owner-password').trim();
    assert.match(owner, /^[0-9a-f]{48}$/);
    assert.notEqual(read('postgres-password').trim(), owner);
    assert.equal(read('database-url'), `postgres://fieldroster:${owner}@database:5432/fieldroster\n`);
    assert.equal(Buffer.from(read('master-key'), 'base64').length, 32);
    const users = {
      'postgres-password': 999,
      'owner-password': 999,
      'database-url': 1000,
      'master-key': 1000,
      'master-key-previous': 1000,
    };
    assert.equal(read('master-key-previous'), '');
    for (const [name, user] of Object.entries(users)) {
      const { mode, uid } = statSync(join(folder, 'secrets', name));
      assert.deepEqual([uid, mode & 0o777], [user, 0o400], name);
    }
    assert.equal(statSync(join(folder, 'backups')).uid, 1000);

    const again = create();
    assert.equal(again.status, 1);
    assert.match(again.stderr, /nothing was changed/);
    assert.ok(again.stderr.includes(join(folder, 'secrets')), again.stderr);
    assert.equal(read('owner-password').trim(), owner);
  });

  test('create-secrets.sh keeps backups that exist, and asks for nothing to be removed', (t) => {
    const place = mkdtempSync(join(tmpdir(), 'fieldroster-backups-'));
    t.after(() => rmSync(place, { recursive: true }));
    const backup = join(place, 'backups/fieldroster-20260131T021700Z.backup');
    mkdirSync(join(place, 'backups'));
    writeFileSync(backup, 'kept');
    const { status, stderr } = spawnSync(deploymentPath('create-secrets.sh'), [place], { encoding: 'utf8' });
    assert.deepEqual([status, stderr], [0, '']);
    assert.equal(readFileSync(backup, 'utf8'), 'kept');
    assert.equal(statSync(join(place, 'secrets/master-key')).uid, 1000);
    assert.equal(statSync(join(place, 'backups')).uid, 1000);
  });

  test('the master key among those secrets is replaced by the steps of docs/keys.md while a server runs', async (t) => {
    const place = mkdtempSync(join(tmpdir(), 'fieldroster-rotation-'));
    t.after(() => rmSync(place, { recursive: true }));
    assert.equal(spawnSync(deploymentPath('create-secrets.sh'), [place]).status, 0);
    const secrets = join(place, 'secrets');
    const environment = {
      FIELDROSTER_DATA: join(place, 'data'),
      FIELDROSTER_MASTER_KEY_FILE: join(secrets, 'master-key'),
      FIELDROSTER_MASTER_KEY_PREVIOUS_FILE: join(secrets, 'master-key-previous'),
    };
    const run = async (...words: string[]) => {
      const { exitCode, stdout, stderr } = await collectResult(spawnFieldroster(words, environment));
      assert.equal(exitCode, 0, stderr);
      return stdout;
    };
    await run('app', 'create', '--name', 'A');
    const server = await ServerProcess.start({ flags: [], environment });
    t.after(() => server.kill());
    const documented = readFileSync(join(repositoryRoot, 'docs/keys.md'), 'utf8');
    const [replace = '', empty = ''] = documented.match(/(?<=^ {2})sudo sh -c '.*'$/gm) ?? [];
    const shell = (line: string) =>
      assert.equal(spawnSync('sh', ['-c', line.replace(/^sudo /, '')], { cwd: place }).status, 0, line);
    shell(replace.replaceAll('deploy/', ''));
    await run('key', 'rotate', '--wait', '5m');
    await run('key', 'rotate', '--finish');
    shell(empty.replaceAll('deploy/', ''));
    assert.equal(readFileSync(join(secrets, 'master-key-previous'), 'utf8'), '');
    assert.deepEqual(JSON.parse(await run('key', 'check', '--json')).unopened, []);
  });
} else {
  console.error('NOT TESTED: deploy/create-secrets.sh, because this user may not give files away');
}

if (spawnSync('nginx', ['-v']).error === undefined) {
  test('nginx serves TLS with compose.tls.yaml, only versions 1.2 and 1.3', async (t) => {
    const certificate = createCertificate();
    const { child, port, plainPort } = await startNginx();
    t.after(async () => {
      const ended = once(child, 'exit');
      if (child.kill()) await ended;
    });
    // No node runs, so nginx's own refusal proves that the request came through.
    const { statusCode, headers } = await ask(port, { ca: certificate });
    assert.equal(statusCode, 503);
    assert.equal(headers['strict-transport-security'], 'max-age=31536000');
    const plain = await fetch(`http://127.0.0.1:${plainPort}/healthz`);
    assert.equal(plain.headers.get('strict-transport-security'), null);
    assert.equal((await ask(port, { ca: certificate, maxVersion: 'TLSv1.2' })).statusCode, 503);
    await assert.rejects(ask(port, { ca: certificate, maxVersion: 'TLSv1.1', minVersion: 'TLSv1' }));
  });

  test('nginx accepts no cipher suite without forward secrecy', async (t) => {
    const certificate = createCertificate();
    const { child, port } = await startNginx();
    t.after(async () => {
      const ended = once(child, 'exit');
      if (child.kill()) await ended;
    });
    const options = { ca: certificate, maxVersion: 'TLSv1.2' } as const;
    for (const ciphers of ['ECDHE-ECDSA-AES128-SHA', 'ECDHE-ECDSA-AES256-SHA384', 'AES128-GCM-SHA256']) {
      await assert.rejects(ask(port, { ...options, ciphers }), /alert handshake failure/);
    }
    assert.equal((await ask(port, { ...options, ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' })).statusCode, 503);
  });
} else {
  console.error('NOT TESTED: deploy/nginx-tls.conf, because there is no nginx');
}

function createCertificate(): Buffer {
  const certificates = join(folder, 'certificates');
  mkdirSync(certificates, { recursive: true });
  const files = ['-keyout', join(certificates, 'tls.key'), '-out', join(certificates, 'tls.crt')];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const { status, stderr } = spawnSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
      ...names,
      ...files,
    ],
    { encoding: 'utf8' },
  );
  assert.equal(status, 0, stderr);
  return readFileSync(join(certificates, 'tls.crt'));
}

async function startNginx(): Promise<{ child: ChildProcess; port: number; plainPort: number }> {
  const [port, plainPort, nodePort] = await Promise.all([reservePort(), reservePort(), reservePort()]);
  writeFileSync(
    join(folder, 'tls.conf'),
    readDeploymentFile('nginx-tls.conf')
      .replaceAll('/etc/nginx/certificates', join(folder, 'certificates'))
      .replace('listen 8443', `listen 127.0.0.1:${port}`),
  );
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const shipped = readDeploymentFile('nginx.conf');
  assert.ok(shipped.includes('include /etc/nginx/listen.d/*.conf;'));
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    shipped
      .replace('http {', `http {\n${temporary.join('\n')}`)
      .replaceAll('/var/log/nginx', folder)
      .replaceAll(/node-[ab]:8080/g, `127.0.0.1:${nodePort}`)
      .replace('listen 8080', `listen 127.0.0.1:${plainPort}`)
      .replace('/etc/nginx/listen.d/*.conf', join(folder, 'tls.conf')),
  );
  const main = `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;${process.getuid?.() === 0 ? ' user root;' : ''}`;
  const child = spawn('nginx', ['-p', folder, '-c', file, '-g', main], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while (child.exitCode === null && !(await isListening(plainPort))) await delay(20);
  assert.equal(child.exitCode, null);
  return { child, port, plainPort };
}

async function isListening(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/healthz`).then(
    () => true,
    () => false,
  );
}

type TlsOptions = Parameters<typeof get>[1];

async function ask(port: number, options: TlsOptions): Promise<IncomingMessage> {
  const request = get(`https://localhost:${port}/healthz`, { ...options, family: 4 });
  const [response] = await once(request, 'response');
  response.resume();
  return response;
}
