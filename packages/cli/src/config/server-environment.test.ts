import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { settingDefinitions, workerVariables } from '@fieldroster/server/admin';
import { temporaryFolder } from '../../test/run-command.ts';
import { startServe } from '../../test/serve-process.ts';
import { fileVariable, secretVariables } from '../files/secret-files.ts';
import { readServerEnvironment } from './server-environment.ts';

const folder = temporaryFolder();

/** The variables that Kubernetes sets in a pod beside a Service named fieldroster. */
const serviceLinks = {
  FIELDROSTER_SERVICE_HOST: '10.96.7.8',
  FIELDROSTER_SERVICE_PORT: '80',
  FIELDROSTER_SERVICE_PORT_HTTP: '80',
  FIELDROSTER_PORT: 'tcp://10.96.7.8:80',
  FIELDROSTER_PORT_80_TCP: 'tcp://10.96.7.8:80',
  FIELDROSTER_PORT_80_TCP_PROTO: 'tcp',
  FIELDROSTER_PORT_80_TCP_PORT: '80',
  FIELDROSTER_PORT_80_TCP_ADDR: '10.96.7.8',
};

describe('the environment of serve', () => {
  test('an unknown variable is reported by its name, never with its value', () => {
    const { warnings } = readServerEnvironment({ FIELDROSTER_REPLY: 'hidden', PATH: '/bin' });
    assert.deepEqual(warnings, [
      'ignoring the environment variable FIELDROSTER_REPLY: there is no such setting; fieldroster serve --help lists them all',
    ]);
  });

  test('no known variable is reported', () => {
    const names = [
      ...settingDefinitions.map(({ environment }) => environment),
      ...secretVariables,
      'FIELDROSTER_URL',
      'FIELDROSTER_APP_ID',
      ...workerVariables,
    ];
    const environment = Object.fromEntries(names.map((name) => [name, '1']));
    assert.deepEqual(readServerEnvironment(environment), { environment, warnings: [] });
    for (const variable of secretVariables)
      assert.deepEqual(readServerEnvironment({ [fileVariable(variable)]: '' }).warnings, []);
  });

  test('every setting that is secret has a variable for its file', () => {
    const secret = settingDefinitions.filter((definition) => definition.secret === true);
    const names: readonly string[] = secretVariables;
    assert.ok(secret.length > 0);
    for (const { environment } of secret) assert.ok(names.includes(environment), environment);
  });

  test('the service links of Kubernetes are ignored, and the port among them is explained', () => {
    const { environment, warnings } = readServerEnvironment(serviceLinks);
    assert.equal(environment.FIELDROSTER_PORT, undefined);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /FIELDROSTER_PORT="tcp:\/\/10\.96\.7\.8:80".*enableServiceLinks: false/);
  });
});

describe('serve', () => {
  test('starts beside service links, and reports each ignored variable once however many workers there are', async () => {
    const env = { ...serviceLinks, FIELDROSTER_REPLY: 'nonce' };
    const flags = ['--data', join(folder, 'data'), '--workers', '2', '--log-level', 'warn'];
    const server = await startServe(flags, { env });
    const lines = server.output().trimEnd().split('\n');
    assert.deepEqual(lines.map((line) => /FIELDROSTER_\w+|listens|The console/.exec(line)?.[0]).sort(), [
      'FIELDROSTER_PORT',
      'FIELDROSTER_REPLY',
      'The console',
      'listens',
    ]);
    assert.equal(await server.stop(), 0);
  });
});
