import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './fieldroster-command.ts';

/** A fenced block of a document. */
export interface DocumentedBlock {
  readonly page: string;
  /** Line of the fence in the page. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
}

/** Reads every fenced block of a page of the documents. */
export function documentedBlocks(page: string): DocumentedBlock[] {
  const text = readFileSync(join(repositoryRoot, 'docs', page), 'utf8');
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(({ 1: language = '', 2: block = '', index }) => ({
    page,
    line: text.slice(0, index).split('\n').length,
    language,
    text: block,
  }));
}

/** Why no test pastes a block, by a string that is in it. */
export const blocksNotPasted: readonly (readonly [text: string, reason: string])[] = [
  ['docker buildx imagetools', 'it asks a registry on the network'],
  ['docker compose', 'it needs Docker; e2e/deploy/compose.test.ts checks the files and their commands'],
  [
    'create role fieldroster',
    'e2e/deploy/owner-role.test.ts runs the same statements from deploy/create-owner.sql',
  ],
  [
    'base-path = "/api/v1"',
    'it is a file of settings; packages/cli/src/config/config-file.test.ts reads such files',
  ],
  [
    '"kind": "command"',
    'it shows a column of the audit; packages/cli/src/commands/audited-commands.test.ts checks its form',
  ],
  [
    'FIELDROSTER_TRUST_PROXY=1\n',
    'it is a file of variables for systemd; e2e/deploy/nginx.test.ts runs servers behind a proxy',
  ],
  [
    '/opt/fieldroster/packages/cli/dist/main.js app create',
    'its paths are those of an installation; the blocks of operating.md with the same command are pasted',
  ],
  ["sed -i 's|/usr/bin/node", 'e2e/deploy/systemd-unit.test.ts runs it on copies of the files'],
  ['serve --backup-every', 'e2e/faults/scheduled-backups.test.ts runs such a server'],
  ['restore --finish', 'e2e/postgres/point-in-time.test.ts runs it on a database of an archive'],
  ['user erase --user', 'it asks on a terminal; e2e/user-erase.test.ts answers there'],
  ['dbs:', 'it is a file of Litestream, which is not installed here'],
  ['09:05:07.042', 'it shows lines of a log; e2e/log-on-terminal.test.ts checks their form'],
];
