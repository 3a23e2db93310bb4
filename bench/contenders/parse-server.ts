import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench, Subject } from '../measurement.ts';
import { Child } from '../process/child.ts';
import { parseAppId, parseMasterKey, parsePath } from './parse-server-settings.ts';
import { ServerUnderLoad, type Traffic } from './server-under-load.ts';

const script = fileURLToPath(new URL('./serve-parse-server.ts', import.meta.url));
const folder = fileURLToPath(new URL('../peers/parse-server', import.meta.url));
const packageFolder = join(folder, 'node_modules/parse-server');

/** Its operator's key: no session is looked up and no signature is verified. */
const proof = () => ({ 'X-Parse-Application-Id': parseAppId, 'X-Parse-Master-Key': parseMasterKey });

/** Parse Server with as many users in an own database of the same PostgreSQL, under the traffic's load. */
export async function parseServer(bench: Bench, subject: Subject, traffic: Traffic) {
  install();
  const postgres = await bench.postgres();
  const args = [packageFolder, await postgres.createDatabase(), String(subject.users)];
  const serving = await Child.serve({ script, args, cores: bench.cores.server });
  const plan = { ...traffic, proof, successPrefix: '{"objectId":' };
  noteVersion(bench);
  return new ServerUnderLoad(bench, serving, plan, postgres);
}

/** Path of the user with that number, from 1. */
export function parseUserPath(number: number): string {
  return `${parsePath}/users/${objectId(number)}`;
}

/** As long as the ids that it generates. */
function objectId(number: number): string {
  return `U${String(number).padStart(9, '0')}`;
}

/** Once for all runs; none of its packages may run a script while it is installed. */
function install(): void {
  if (existsSync(join(packageFolder, 'package.json'))) return;
  console.error('installing parse-server into bench/peers …');
  mkdirSync(folder, { recursive: true });
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', '--prefix', folder, ...options, 'parse-server@9'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function noteVersion({ notes }: Bench): void {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  notes.push(`Parse Server is ${version}, on the same Node.js and the same PostgreSQL.`);
}
