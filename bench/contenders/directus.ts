import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { serverFlags } from '../../packages/cli/src/serve/restart-with-server-flags.ts';
import { freePort } from '../../packages/server/src/workers/free-port.ts';
import type { Bench } from '../bench.ts';
import type { Subject } from '../directory/seed.ts';
import { profile } from '../directory/seeded-user.ts';
import type { Contender } from '../measurement.ts';
import { startServer } from '../process/start.ts';
import { readsOfUsers } from '../scenarios/traffic.ts';
import { peerFolder } from './npm-peer.ts';
import { underLoad } from './under-load.ts';

const withoutScripts = join(import.meta.dirname, 'directus-without-scripts.ts');

const token = 'token-of-the-benchmark';

const headersOf = () => ({ Authorization: `Bearer ${token}` });

/** Directus with as many users in SQLite, its default. Requests carry the static token of its administrator. */
export async function directus(bench: Bench, { users }: Subject): Promise<Contender> {
  const program = ['--import', withoutScripts, join(peerFolder(bench, 'directus', 'SQLite'), 'cli.js')];
  const [port, file] = [await freePort('127.0.0.1'), join(bench.newFolder(), 'directus.db')];
  const environment = settings(port, file);
  const env = { ...process.env, ...environment };
  execFileSync(process.execPath, [...program, 'bootstrap'], { env, stdio: 'ignore' });
  writeUsers(file, users);
  const command = [process.execPath, ...serverFlags(), ...program, 'start'];
  const serving = await startServer(bench, port, command, { environment });
  const traffic = readsOfUsers(users, (number) => `/users/${userId(number)}`);
  return underLoad(bench, serving, { ...traffic, headersOf, successPrefix: '{"data":{"id":"' });
}

/** Returns the id of the user with that number, from 1. */
function userId(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

/** Production settings; everything else has its default. */
function settings(port: number, file: string) {
  return {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DB_CLIENT: 'sqlite3',
    DB_FILENAME: file,
    SECRET: 'secret-of-the-benchmark-0123456789',
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'password-of-the-benchmark',
    ADMIN_TOKEN: token,
    LOG_LEVEL: 'silent',
    TELEMETRY: 'false',
  };
}

/** Inserts users by SQL. Directus itself would take half an hour. */
function writeUsers(file: string, users: number): void {
  using db = new DatabaseSync(file);
  const insert = db.prepare(`insert into directus_users (id, first_name, last_name, email, location, title,
    description, external_identifier, role) select ?, ?, ?, ?, ?, ?, ?, ?, role from directus_users limit 1`);
  db.exec('pragma synchronous = off; begin');
  for (let number = 1; number <= users; number += 1) {
    const user = profile(number);
    const [first = '', last = ''] = user.real_name.split(' ');
    const { email, phone, department, avatar, unique_code } = user;
    insert.run(userId(number), first, last, email, phone, department, avatar, unique_code);
  }
  db.exec('commit');
}
