import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  importOrgs,
  importRoles,
  importStores,
  issueApplication,
  type OpenDirectory,
  openDirectory,
  readSettings,
  startServer,
} from '@fieldroster/server';
import { readListFile } from '../../packages/cli/src/import-lists/read-list-file.ts';
import { listOf } from '../list-of.ts';

/** Targets of the programs' bindings: ids that a double rounds, and a code that breaks careless encoding. */
export const awkward = {
  roleId: '9223372036854775807',
  orgId: '9007199254740993',
  storeCode: 'S+1 &=%41%/?#门店🏪',
} as const;

/**
 * A running server with an application, the sample directory, and a role,
 * an organization and a store with awkward values.
 */
export interface LiveDirectory {
  readonly url: string;
  readonly appId: string;
  readonly appSecret: string;
  /** Every Nonce header received so far. */
  readonly nonces: readonly string[];
  /** Loses the answers to the next writes, one attempt each. */
  loseAnswers(writes: number): void;
  close(): Promise<void>;
}

/** Starts a server under a base path, with one of the two ways of choosing an HTTP status. */
export async function startLiveDirectory(httpStatus: 'compatible' | 'standard'): Promise<LiveDirectory> {
  const data = mkdtempSync(join(tmpdir(), 'fieldroster-examples-'));
  const credentials = await fill(data);
  const settings = readSettings(
    { data, port: '0', basePath: '/api/v1', httpStatus, logLevel: 'silent' },
    { NODE_ENV: 'test' },
  );
  const server = await startServer(settings, {});
  const relay = await startRelay(new URL(server.url));
  const close = async () => {
    await relay.close();
    await server.stop();
    rmSync(data, { recursive: true });
  };
  return {
    ...credentials,
    url: `${relay.origin}/api/v1`,
    nonces: relay.nonces,
    loseAnswers: relay.loseAnswers,
    close,
  };
}

async function fill(data: string): Promise<{ appId: string; appSecret: string }> {
  const directory = await openDirectory({ data, environment: {} });
  await loadSample(directory);
  await importRoles(directory, listOf(['id', 'name'], [[awkward.roleId, 'Supervisor']]));
  await importOrgs(directory, listOf(['id', 'name'], [[awkward.orgId, 'East']]));
  await importStores(directory, listOf(['code', 'name'], [[awkward.storeCode, 'Corner shop']]));
  const application = { name: 'examples', tenant: 'default', scope: 'write' } as const;
  const credentials = await issueApplication(directory, application);
  await directory.database.close();
  return credentials;
}

/** The defaults of the examples refer to this sample, which `npm start` loads. */
async function loadSample(directory: OpenDirectory): Promise<void> {
  const sample = (kind: 'roles' | 'orgs' | 'stores') => {
    const path = fileURLToPath(new URL(`../../packages/cli/sample/${kind}.csv`, import.meta.url));
    return { tenant: 'default', file: path, records: readListFile(kind, { path }) };
  };
  await importRoles(directory, sample('roles'));
  await importOrgs(directory, sample('orgs'));
  await importStores(directory, sample('stores'));
}

/** Forwards requests unchanged and records their nonces, which the server does not reveal. Loses answers when told to. */
async function startRelay({ hostname, port }: URL) {
  const nonces: string[] = [];
  let toLose = 0;
  const relay = createServer((incoming, outgoing) => {
    const nonce = String(incoming.headers.nonce);
    const loses = toLose > 0 && incoming.method === 'POST' && !nonces.includes(nonce);
    if (loses) toLose -= 1;
    nonces.push(nonce);
    const { method, url: path, rawHeaders: headers } = incoming;
    const passed = forward({ hostname, port, method, path, headers }, (answer) => {
      if (loses) return void answer.resume().on('end', () => incoming.socket.destroy());
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const address = relay.address();
  if (address === null || typeof address === 'string') throw new Error('the relay has no port');
  const close = () => {
    relay.closeAllConnections();
    return new Promise<void>((resolve) => relay.close(() => resolve()));
  };
  const loseAnswers = (writes: number) => {
    toLose = writes;
  };
  return { origin: `http://127.0.0.1:${address.port}`, nonces, loseAnswers, close };
}
