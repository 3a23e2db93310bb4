import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { limits } from '@fieldroster/contract/limits';
import {
  heldAtMostOf,
  type MemoryShares,
  worstCaseBytesOf,
} from '../../packages/server/src/http/limits/memory-shares.ts';

const mebibyte = 1024 * 1024;

const settings = {
  workers: 1,
  bodyBytesMax: limits.bodyBytesMax,
  batchBodyBytesMax: limits.batchBodyBytesMax,
  connectionsMax: 16_384,
  console: true,
  consoleListen: '',
};

/** A process in a control group. V8 takes about half of its memory for the heap, and at most 4 GiB. */
const groupOf = (mebibytes: number) => ({
  constrainedBytes: mebibytes * mebibyte,
  totalBytes: 64 * 1024 * mebibyte,
  heapBytesMax: Math.min(4096, mebibytes / 2) * mebibyte,
});

/** The rows of the table, and the shares that they give. */
const rows: Readonly<Record<string, keyof MemoryShares>> = {
  'bodies up to 64 KiB, and the start of larger ones': 'smallBodies',
  'larger bodies': 'largeBodies',
  'bodies above 1 MiB that are carried out; each takes up to eight times as much': 'carriedOut',
  'bodies of 64 KiB to 1 MiB that are carried out; each takes up to twelve times as much': 'carriedOutMiddle',
  'unread answers': 'readAnswers',
  'requests that wait to be looked at': 'waitingRequests',
  'the first packets of their bodies': 'waitingBodies',
  'the same of bodies in chunks': 'waitingChunkedBodies',
  'packets of bodies in chunks that wait for their turn': 'chunkTurns',
  'requests behind an unread answer': 'queuedResponses',
  'refusals that wait for up to two seconds': 'heldRefusals',
  'idle connections': 'idleConnections',
  'unfinished headers; they take half as much again': 'unfinishedHeaders',
};

const sizes = [256, 512, 1024, 2048, 8192];

test('docs/operating.md says what each share of the memory is', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8');
  const shares = sizes.map((size) => heldAtMostOf(groupOf(size), settings));
  const worst = sizes.map((size) => worstCaseBytesOf(groupOf(size), settings));
  const documented = Object.entries(rows).map(([row, name]) =>
    lineOf(
      row,
      shares.map((each) => each[name]),
    ),
  );
  for (const line of [...documented, lineOf('everything at once, with 130 for an ordinary load', worst)])
    assert.ok(page.includes(line), `docs/operating.md must have this line:\n${line}`);
});

function lineOf(row: string, bytes: readonly number[]): string {
  return `| ${row} | ${bytes.map((each) => Math.round(each / mebibyte)).join(' | ')} |\n`;
}
