import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inLdap } from '../load/ldap.ts';
import { nodeLoad } from '../load/node-load.ts';
import type { Bench, Subject } from '../measurement.ts';
import { startForeignServer } from '../process/foreign-server.ts';
import { freePort } from '../process/free-port.ts';
import { ServerUnderLoad, type Traffic } from './server-under-load.ts';
import { writeEntries } from './slapd-entries.ts';

const program = '/usr/sbin/slapd';
const modules = '/usr/lib/ldap';
const schemas = '/etc/ldap/schema';

/** Why OpenLDAP's server cannot be started here; nothing when it can. */
export function slapdIsMissing(): string | undefined {
  const there = [program, modules, schemas].every(existsSync);
  return there ? undefined : 'slapd is not installed where Debian has it (apt-get install slapd)';
}

const suffix = 'dc=bench';
const people = `ou=people,${suffix}`;

/** slapd with as many entries in LMDB, indexed by uid, asked by our own generator over LDAP. */
export async function slapd(bench: Bench, { users }: Subject, traffic: Traffic): Promise<ServerUnderLoad> {
  const [port, folder] = [await freePort(), bench.newFolder()];
  const configuration = join(folder, 'slapd.conf');
  const entries = join(folder, 'entries.ldif');
  mkdirSync(join(folder, 'db'));
  writeFileSync(configuration, configurationOf(folder));
  writeEntries(entries, suffix, people, users);
  execFileSync(program, ['-T', 'add', '-q', '-f', configuration, '-l', entries], { stdio: 'inherit' });
  const args = ['-f', configuration, '-h', `ldap://127.0.0.1:${port}`, '-d', '0'];
  const { server: cores, load } = bench.cores;
  const serving = await startForeignServer({ command: program, args, cores, port, protocol: 'ldap' });
  const plan = { ...traffic, encode: inLdap(people, 'uid'), load: nodeLoad(load) };
  return new ServerUnderLoad(bench, serving, plan);
}

/** Defaults but for what has none: where the entries lie, how large they may grow, what is indexed, who may read. */
function configurationOf(folder: string): string {
  return `
${['core', 'cosine', 'inetorgperson'].map((name) => `include ${schemas}/${name}.schema`).join('\n')}
modulepath ${modules}
moduleload back_mdb
pidfile ${folder}/slapd.pid
loglevel none
database mdb
suffix "${suffix}"
directory ${folder}/db
maxsize 17179869184
index objectClass,uid eq
access to * by * read
`;
}
