import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../packages/server/src/workers/free-port.ts';
import type { Bench } from '../bench.ts';
import type { Subject } from '../directory/seed.ts';
import { profile } from '../directory/seeded-user.ts';
import type { Contender } from '../measurement.ts';
import { startProgram, startServer } from '../process/start.ts';
import { watchUsage } from '../process/usage.ts';
import { connections } from '../scenarios/traffic.ts';

const program = '/usr/sbin/slapd';
const modules = '/usr/lib/ldap';
const schemas = '/etc/ldap/schema';

/** Why slapd cannot be started here; undefined when it can. */
export function slapdIsMissing(): string | undefined {
  const isInstalled = [program, modules, schemas].every(existsSync);
  return isInstalled ? undefined : 'slapd is not installed where Debian has it (apt-get install slapd)';
}

const suffix = 'dc=bench';
const people = `ou=people,${suffix}`;

/** slapd with as many entries in LMDB, indexed by uid. A program of ours sends the searches, because wrk does not speak LDAP. */
export async function slapd(bench: Bench, { users }: Subject): Promise<Contender> {
  const [port, folder] = [await freePort('127.0.0.1'), bench.newFolder()];
  const configuration = join(folder, 'slapd.conf');
  const entries = join(folder, 'entries.ldif');
  await mkdir(join(folder, 'db'));
  await writeFile(configuration, configurationOf(folder));
  await writeFile(entries, entriesOf(users));
  execFileSync(program, ['-T', 'add', '-q', '-f', configuration, '-l', entries], { stdio: 'inherit' });
  const command = [program, '-f', configuration, '-h', `ldap://127.0.0.1:${port}`, '-d', '0'];
  const { pid } = await startServer(bench, port, command);
  const args = [port, people, users, connections];
  const search = await startProgram(bench, 'load/ldap-searches.ts', args, 'load');
  return async (seconds) => {
    const usage = watchUsage(pid);
    const { value, cpuShare: loadCpuShare } = await search(seconds);
    return { value, loadCpuShare, ...usage(seconds) };
  };
}

/** Defaults, and the settings that have none: folder, largest size, index, access. */
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

/** Yields the seeded users as LDIF, with the matching attributes of `inetOrgPerson`. */
function* entriesOf(users: number): Generator<string> {
  yield `dn: ${suffix}\nobjectClass: domain\ndc: bench\n\n`;
  yield `dn: ${people}\nobjectClass: organizationalUnit\nou: people\n\n`;
  for (let id = 1; id <= users; id += 1) yield entryOf(id);
}

function entryOf(id: number): string {
  const user = profile(id);
  const attributes = {
    dn: `uid=${user.username},${people}`,
    objectClass: 'inetOrgPerson',
    uid: user.username,
    cn: user.real_name,
    sn: user.real_name.split(' ')[1],
    displayName: user.nickname,
    mail: user.email,
    telephoneNumber: user.phone,
    departmentNumber: user.department,
    labeledURI: user.avatar,
    employeeNumber: user.unique_code,
    title: 'Looks after stores',
    o: `Region ${id % 200}`,
  };
  const lines = Object.entries(attributes).map(([name, value]) => `${name}: ${value}\n`);
  return `${lines.join('')}\n`;
}
