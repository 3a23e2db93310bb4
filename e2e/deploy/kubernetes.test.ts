import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { answerWait, limits } from '@fieldroster/contract';
import { deadlineOf } from '../../packages/server/src/pipeline/call-deadline.ts';
import { repositoryRoot } from '../fieldroster-command.ts';
import { allAt, at, readAllYaml, readDeploymentFile, sizeInBytes, type Yaml } from './deployment-file.ts';

const documents = readAllYaml('kubernetes.yaml');
const [repair] = readAllYaml('kubernetes-repair.yaml') as [Yaml];
const server = named('Deployment', 'fieldroster');
const serverPod = at(server, 'spec', 'template', 'spec');
const container = at(serverPod, 'containers', 0);
const backup = named('CronJob', 'fieldroster-backup');
const backupPod = at(backup, 'spec', 'jobTemplate', 'spec', 'template', 'spec');

interface Model {
  readonly validate: () => void;
}

for (const document of [...documents, repair]) {
  const [apiVersion, kind] = [String(at(document, 'apiVersion')), String(at(document, 'kind'))];
  test(`${kind} ${at(document, 'metadata', 'name')} fits Kubernetes’ schema`, async () => {
    const { [kind]: Kind } = (await import(`kubernetes-models/${apiVersion}`)) as Record<
      string,
      new (
        data: Yaml,
      ) => Model
    >;
    assert.ok(Kind, kind);
    new Kind(document).validate();
    assert.ok(kind === 'Namespace' || at(document, 'metadata', 'namespace') === 'fieldroster');
  });
}

test('no document has an unknown field', () => {
  assert.equal(unknownFields([...documents, repair]), '');
  const misspelt = structuredClone(server) as { spec: { template: { spec: Record<string, unknown> } } };
  misspelt.spec.template.spec.enableServiceLink = false;
  assert.match(unknownFields([misspelt as unknown as Yaml]), /"enableServiceLink"' does not exist/);
});

test('the Ingress waits as long for an answer, and passes a write on as briefly, as deploy/nginx.conf', () => {
  const annotations = at(named('Ingress', 'fieldroster'), 'metadata', 'annotations') as Record<
    string,
    string
  >;
  const nginx = readDeploymentFile('nginx.conf');
  const secondsOf = (name: string) =>
    [...nginx.matchAll(new RegExp(`${name} (\\d+)s;`, 'g'))].map(([, seconds]) => Number(seconds));
  const waits = Math.max(...secondsOf('proxy_read_timeout'));
  assert.equal(annotations['nginx.ingress.kubernetes.io/proxy-read-timeout'], String(waits));
  const { remainingMs } = deadlineOf({ bodyLimit: 'bulk' }, limits.bulkBodyBytesMax, 'app');
  assert.ok(remainingMs < waits * 1000, `${remainingMs} ms`);
  const mebibytes = limits.bulkBodyBytesMax / 2 ** 20;
  const clientMs =
    answerWait.usualMs +
    answerWait.turnMs +
    mebibytes * answerWait.perMebibyteMs +
    limits.batchPasswordsMax * answerWait.perPasswordMs;
  assert.ok(clientMs < waits * 1000, `${clientMs} ms`);
  const passesOn = annotations['nginx.ingress.kubernetes.io/proxy-next-upstream-timeout'];
  assert.deepEqual(secondsOf('proxy_next_upstream_timeout'), [Number(passesOn)]);
});

test('no pod gets service links, a Kubernetes token, or privileges', () => {
  for (const pod of [serverPod, backupPod, at(repair, 'spec')]) {
    assert.equal(at(pod, 'enableServiceLinks'), false);
    assert.equal(at(pod, 'automountServiceAccountToken'), false);
    assert.equal(at(pod, 'securityContext', 'runAsNonRoot'), true);
    assert.ok(Number(at(pod, 'securityContext', 'runAsUser')) > 0);
    assert.equal(at(pod, 'securityContext', 'seccompProfile', 'type'), 'RuntimeDefault');
    const context = at(pod, 'containers', 0, 'securityContext');
    assert.deepEqual(context, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    assert.ok(sizeInBytes(at(pod, 'containers', 0, 'resources', 'limits', 'memory')) >= 512 * 2 ** 20);
  }
});

test('a forgotten repair pod lets go of the volume of the backups within four hours', () => {
  assert.deepEqual(allAt(at(repair, 'spec', 'volumes'), 'claimName'), allAt(backupPod, 'claimName'));
  assert.ok(Number(at(repair, 'spec', 'activeDeadlineSeconds')) <= 4 * 3600);
});

test('images have full version tags', () => {
  const images = [...documents, repair].flatMap((document) => allAt(document, 'image'));
  assert.equal(images.length, 3);
  for (const image of images) assert.match(String(image), /^[a-z]+:\d+\.\d+(\.\d+)?(-[a-z]+)?$/);
});

test('secrets are mounted as files that only the user of the pod may read', () => {
  assert.deepEqual(
    documents.flatMap((document) => allAt(document, 'secretKeyRef')),
    [],
  );
  for (const pod of [serverPod, backupPod]) {
    const [secret] = allAt(pod, 'secret');
    assert.equal(at(secret, 'defaultMode'), 0o440);
    assert.equal(at(pod, 'securityContext', 'fsGroup'), at(pod, 'securityContext', 'runAsUser'));
  }
});

test('the pod may use 1 GiB without being evicted', () => {
  const { requests, limits } = at(container, 'resources') as { requests: Yaml; limits: Yaml };
  assert.equal(sizeInBytes(at(limits, 'memory')), 2 ** 30);
  assert.equal(at(requests, 'memory'), at(limits, 'memory'));
});

test('liveness depends on the process, and readiness on the database', () => {
  const paths = ['startupProbe', 'readinessProbe', 'livenessProbe'].map((probe) =>
    at(container, probe, 'httpGet', 'path'),
  );
  assert.deepEqual(paths, ['/readyz', '/readyz', '/healthz']);
  const { periodSeconds, failureThreshold } = at(container, 'startupProbe') as Record<string, number>;
  assert.ok(Number(periodSeconds) * Number(failureThreshold) >= 120, 'a start may wait for its database');
});

test('a pod knows the address that browsers use, and trusts the Ingress for the addresses of clients', () => {
  const environment = at(container, 'env') as readonly { name: string; value: string }[];
  const textOf = (name: string) => environment.find((variable) => variable.name === name)?.value;
  const host = at(named('Ingress', 'fieldroster'), 'spec', 'rules', 0, 'host');
  assert.equal(textOf('FIELDROSTER_PUBLIC_URL'), `https://${host}`);
  assert.equal(textOf('FIELDROSTER_TRUST_PROXY'), '1');
});

test('every operator must have a second factor, because the Ingress serves the console too', () => {
  const environment = at(container, 'env') as readonly { name: string; value: string }[];
  const rule = environment.find(({ name }) => name === 'FIELDROSTER_SECOND_FACTOR');
  assert.equal(rule?.value, 'everyone');
});

test('a pod has more time to stop than its drain and its longest request take', () => {
  const environment = at(container, 'env') as readonly { name: string; value: string }[];
  const drain = environment.find(({ name }) => name === 'FIELDROSTER_DRAIN');
  assert.equal(drain?.value, '5');
  assert.ok(Number(at(serverPod, 'terminationGracePeriodSeconds')) > 5 + 30);
  assert.equal(at(container, 'lifecycle'), undefined, 'the drain does what a preStop hook would');
});

test('every selector finds its pods', () => {
  const serverLabels = at(server, 'spec', 'template', 'metadata', 'labels');
  assert.deepEqual(at(server, 'spec', 'selector', 'matchLabels'), serverLabels);
  assert.deepEqual(at(named('Service', 'fieldroster'), 'spec', 'selector'), serverLabels);
  for (const [kind, name, key] of [
    ['PodDisruptionBudget', 'fieldroster', 'selector'],
    ['NetworkPolicy', 'fieldroster-server', 'podSelector'],
  ] as const)
    assert.deepEqual(at(named(kind, name), 'spec', key, 'matchLabels'), serverLabels);
  const spread = at(serverPod, 'topologySpreadConstraints') as readonly Yaml[];
  assert.deepEqual(
    spread.map((each) => at(each, 'topologyKey')),
    ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'],
  );
  for (const each of spread) assert.deepEqual(at(each, 'labelSelector', 'matchLabels'), serverLabels);
});

test('the network is closed except to the ingress controller, DNS and PostgreSQL', () => {
  const closed = at(named('NetworkPolicy', 'default-deny'), 'spec');
  assert.deepEqual(closed, { podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  // A policy that is added could open more.
  assert.equal(documents.filter((each) => at(each, 'kind') === 'NetworkPolicy').length, 3);
  const controller = { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } };
  assert.deepEqual(at(named('NetworkPolicy', 'fieldroster-server'), 'spec', 'ingress'), [
    { from: [{ namespaceSelector: controller }], ports: [{ port: 'http', protocol: 'TCP' }] },
  ]);
  const egress = named('NetworkPolicy', 'fieldroster-egress');
  const dns = {
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
    podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
  };
  assert.deepEqual(at(egress, 'spec', 'egress'), [
    {
      to: [dns],
      ports: [
        { port: 53, protocol: 'UDP' },
        { port: 53, protocol: 'TCP' },
      ],
    },
    { to: [{ ipBlock: { cidr: '10.0.0.0/8' } }], ports: [{ port: 5432, protocol: 'TCP' }] },
  ]);
  const selected = at(egress, 'spec', 'podSelector', 'matchLabels') as Record<string, string>;
  for (const pods of [server, at(backup, 'spec', 'jobTemplate')])
    for (const [name, value] of Object.entries(selected))
      assert.equal(at(pods, 'spec', 'template', 'metadata', 'labels', name), value);
});

test('the Ingress terminates TLS for its host', () => {
  const spec = at(named('Ingress', 'fieldroster'), 'spec');
  assert.deepEqual(at(spec, 'tls', 0, 'hosts'), [at(spec, 'rules', 0, 'host')]);
});

test('the backup runs the shipped script, one run at a time', () => {
  const script = at(named('ConfigMap', 'fieldroster-backup'), 'data', 'backup.sh');
  assert.equal(script, readDeploymentFile('backup.sh'));
  assert.equal(at(backup, 'spec', 'concurrencyPolicy'), 'Forbid');
  const image = String(at(backupPod, 'containers', 0, 'image'));
  assert.ok(readDeploymentFile('compose.yaml').includes(`image: ${image}\n`));
  assert.deepEqual(allAt(at(backupPod, 'volumes'), 'items'), [
    [{ key: 'database-url', path: 'database-url' }],
  ]);
});

/** The schemas allow unknown fields, as Kubernetes does. The compiler refuses them in a literal of a known type. */
function unknownFields(checked: readonly Yaml[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-kubernetes-'));
  const lines = checked.map((document, index) => {
    const type = `import('kubernetes-models/${at(document, 'apiVersion')}').I${at(document, 'kind')}`;
    return `export const document${index}: ${type} = ${JSON.stringify(document)};`;
  });
  writeFileSync(join(folder, 'documents.ts'), lines.join('\n'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  symlinkSync(join(repositoryRoot, 'node_modules'), join(folder, 'node_modules'));
  const compiler = join(repositoryRoot, 'node_modules/typescript/bin/tsc');
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', ''];
  const { stdout } = spawnSync(process.execPath, [compiler, ...flags, 'documents.ts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  return stdout;
}

function named(kind: string, name: string): Yaml {
  const found = documents.find((each) => at(each, 'kind') === kind && at(each, 'metadata', 'name') === name);
  if (found === undefined) throw new Error(`deploy/kubernetes.yaml has no ${kind} ${name}`);
  return found;
}
