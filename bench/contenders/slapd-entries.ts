import { closeSync, openSync, writeSync } from 'node:fs';
import { profile } from '../directory/seeded-user.ts';

const entriesAtOnce = 10_000;

/** Writes the seeded users as LDIF, with the attributes that `inetOrgPerson` has for their fields. */
export function writeEntries(file: string, suffix: string, people: string, users: number): void {
  const output = openSync(file, 'w');
  writeSync(output, `dn: ${suffix}\nobjectClass: domain\ndc: bench\n\n`);
  writeSync(output, `dn: ${people}\nobjectClass: organizationalUnit\nou: people\n\n`);
  for (let first = 1; first <= users; first += entriesAtOnce) {
    const count = Math.min(entriesAtOnce, users + 1 - first);
    writeSync(output, Array.from({ length: count }, (_, index) => entryOf(first + index, people)).join(''));
  }
  closeSync(output);
}

function entryOf(id: number, people: string): string {
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
