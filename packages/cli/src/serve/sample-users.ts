import { createReadStream } from 'node:fs';
import type { SampleUser } from '@fieldroster/server/admin';
import { decodeText, readCsvRows, type SourceRow } from '@fieldroster/tables';

/** Reads the people of the sample directory from its CSV file. */
export async function readSampleUsers(path: string): Promise<SampleUser[]> {
  const rows: SourceRow[] = [];
  for await (const piece of readCsvRows(decodeText(createReadStream(path), 'utf-8'), ','))
    rows.push(...piece);
  return rows.slice(1).map(toSampleUser);
}

function toSampleUser({ names, values }: SourceRow): SampleUser {
  const cell = (name: string) => String(values[names.indexOf(name)] ?? '') || undefined;
  const id = (name: string) => {
    const digits = cell(name);
    return digits === undefined ? undefined : BigInt(digits);
  };
  return {
    username: cell('username') ?? '',
    realName: cell('real_name'),
    email: cell('email'),
    phone: cell('phone'),
    department: cell('department'),
    uniqueCode: cell('unique_code'),
    roleId: id('role_id'),
    orgId: id('org_id'),
    storeCodes: cell('store_codes')?.split(' '),
    isDisabled: cell('status') === 'disabled',
  };
}
