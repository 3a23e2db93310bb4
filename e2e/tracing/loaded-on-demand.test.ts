import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';

let directory: Provisioned;

before(async () => {
  directory = await provisionDirectory(1);
});

after(() => directory.remove());

/** Runs a server and returns the libraries among these whose code it loaded. */
async function loadedLibraries(environment: NodeJS.ProcessEnv, ...flags: string[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-loaded-'));
  const server = await ServerProcess.start(
    { ...directory, environment: { ...environment, NODE_V8_COVERAGE: folder } },
    ...flags,
  );
  assert.equal(await server.stop(), 0);
  const reports = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  const urls: string[] = reports.flatMap(({ result }) => result.map(({ url }: { url: string }) => url));
  rmSync(folder, { recursive: true });
  const files = urls.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url));
  assert(files.length > 0, 'the server reports what it loaded');
  return ['prom-client', '@opentelemetry/sdk-trace'].filter((library) =>
    files.some((file) => holds(file, library)),
  );
}

/** A bundle names the file of each part in a comment. */
function holds(file: string, library: string): boolean {
  return (
    file.includes(`/node_modules/${library}/`) ||
    readFileSync(file, 'utf8').includes(`// node_modules/${library}/`)
  );
}

test('a server without metrics and traces loads none of their libraries', async () => {
  assert.deepEqual(await loadedLibraries({}), []);
  const off = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_SDK_DISABLED: 'true' };
  assert.deepEqual(await loadedLibraries(off), []);
});

test('each setting loads its own library', async () => {
  assert.deepEqual(await loadedLibraries({}, '--metrics', '127.0.0.1:0'), ['prom-client']);
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
  assert.deepEqual(await loadedLibraries(environment), ['@opentelemetry/sdk-trace']);
});
