import { createHash } from 'node:crypto';
import type { FieldrosterClient } from '@fieldroster/client';
import { describeNames, type NamesInFile, type ResolvedNames, resolveNames } from '@fieldroster/tables';

/** Finds what the names in a file stand for, among the roles and organizations of the application's tenant. */
export function resolveFileNames(
  client: FieldrosterClient,
  names: NamesInFile,
  signal: AbortSignal,
): Promise<ResolvedNames> {
  return resolveNames(names, {
    role_id: () => collect(client.roles({}, { signal })),
    org_id: () => collect(client.orgs({}, { signal })),
  });
}

async function collect<Entry>(entries: AsyncIterable<Entry>): Promise<Entry[]> {
  const all: Entry[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}

/** Returns a checksum of what the names in a file stand for; `undefined` for a file without names. */
export function identifyNames(inFile: NamesInFile, names: ResolvedNames): string | undefined {
  if (inFile.role_id.size + inFile.org_id.size === 0) return undefined;
  return createHash('sha256').update(describeNames(names)).digest('hex');
}
