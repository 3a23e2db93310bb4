import type { Settings } from '../../config.ts';
import { largestBodyBytes } from '../body/body-limits.ts';
import { availableBytes, bodyOverheadBytes, type ProcessMemory } from '../body/body-memory.ts';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/**
 * Memory of a server process under an ordinary load, in bytes: code, caches, connections to the database and the garbage
 * that V8 has not collected.
 */
const ordinaryBytes = 130 * mebibyte;

/** Memory of the process that supervises the workers, in bytes. */
const supervisorBytes = 104 * mebibyte;

/** The content of ten thousand entries. A larger body has spaces besides, and takes memory only for its bytes and text. */
const largestContentBytes = 32 * mebibyte;

/** A body that is carried out takes at most this many times its size; a hash takes as much for its part of that room. */
const timesOfCarriedOut = 8;

/** A body of up to 1 MiB can make more objects for its size. */
const timesOfMiddle = 12;

/** Rough memory of the objects for a request that waits, or whose answer does, in bytes. */
export const requestBytes = 9 * kibibyte;

/** Memory of an idle connection, in bytes. */
export const idleConnectionBytes = 12 * kibibyte;

/** Node.js keeps two strings for each header, so that many short ones take more than their bytes. */
const timesOfHeaders = 3 / 2;

/**
 * Memory of the work that authenticated callers can start and whose amount does not depend on the memory, in bytes: 192
 * MiB for three hashes, 178 for two pages of the audit, 120 for two large dry runs, 80 for eight long lists.
 */
export const otherWorkBytes = 570 * mebibyte;

/** A bound on memory that clients can make the process hold. */
interface Bound {
  /** The minimum, which even the smallest process has, in bytes. */
  readonly least: number;
  /** The maximum, in bytes: more would not make the server better. */
  readonly most: number;
  /** The part of the memory that remains once every bound has its minimum, in hundredths. */
  readonly hundredths: number;
  /** The memory that each byte of the bound may take. */
  readonly times?: number;
  /** The memory that the minimum may take, unless each of its bytes takes `times`. */
  readonly leastTakes?: number;
}

/** What clients can make a process hold, in bytes. All listeners of a process share it. */
export interface MemoryShares {
  /** Bodies up to 64 KiB, and the start of larger ones. */
  readonly smallBodies: number;
  readonly largeBodies: number;
  /** Bodies of more than 1 MiB that are carried out, and hashes of more than 64 MiB, which count with an eighth. */
  readonly carriedOut: number;
  /** Bodies of up to 1 MiB that are carried out. */
  readonly carriedOutMiddle: number;
  /** Unread answers whose clients have just read. */
  readonly readAnswers: number;
  /** Requests that wait before anything looks at them. */
  readonly waitingRequests: number;
  /** The first packets of their bodies, if these announce a length. */
  readonly waitingBodies: number;
  /** The same for the others. */
  readonly waitingChunkedBodies: number;
  /** Packets of chunked bodies, while they wait for their turn. */
  readonly chunkTurns: number;
  /** Requests whose answers wait behind another one of their connection. */
  readonly queuedResponses: number;
  /** Requests that were refused unseen and whose answers wait for up to two seconds. */
  readonly heldRefusals: number;
  readonly idleConnections: number;
  readonly unfinishedHeaders: number;
}

type ShareName = keyof MemoryShares;

/** The settings that decide how much memory a process has, and how much it must keep for one body. */
export type SharingSettings = Pick<Settings, 'workers' | 'bodyBytesMax' | 'batchBodyBytesMax'>;

/** The settings that decide how many connections may be open. */
export type ConnectionSettings = Pick<Settings, 'connectionsMax' | 'console' | 'consoleListen'>;

/**
 * Shares out the memory of a process, so that all bounds together fit into it: each has a minimum, plus a part of the
 * remaining memory, up to a maximum. {@link leastBytesOf} says how much memory the minimums take; a smaller process has
 * them too, or less.
 *
 * More than a third of the remaining memory stays free for {@link otherWorkBytes}: with 2 GiB, they fit as well.
 */
export function memorySharesOf(memory: ProcessMemory, settings: SharingSettings): MemoryShares {
  const usableBytes = usableBytesOf(memory, settings.workers);
  const spare = Math.max(0, usableBytes - leastBytesOf(settings));
  const bounds = boundsOf(largestBodyBytes(settings), usableBytes, memory.heapBytesMax);
  return mapBounds(bounds, ({ least, most, hundredths, times = 1 }) =>
    Math.floor(Math.min(most, least + (spare * hundredths) / 100 / times)),
  );
}

/** Returns the memory of one server process, in bytes. The supervisor of several workers is in the same control group. */
export function ownBytesOf(memory: ProcessMemory, workers: number): number {
  const bytes = availableBytes(memory);
  return workers === 1 ? bytes : Math.max(0, bytes - supervisorBytes) / workers;
}

/** Much of what clients make a process hold is in V8's heap. V8 gives it about half of the memory. */
function usableBytesOf(memory: ProcessMemory, workers: number): number {
  return Math.min(ownBytesOf(memory, workers), 2 * memory.heapBytesMax);
}

/** Returns the memory with which a process can take the minimum of every bound at once, in bytes. */
export function leastBytesOf(settings: SharingSettings): number {
  const bounds = boundsOf(largestBodyBytes(settings), Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
  return ordinaryBytes + sumOf(mapBounds(bounds, (bound) => takenBy(bound, bound.least)));
}

/** Returns what clients can make a process hold, in bytes: its shares, as far as `--connections-max` lets clients use them. */
export function heldAtMostOf(
  memory: ProcessMemory,
  settings: SharingSettings & ConnectionSettings,
): MemoryShares {
  const shares = memorySharesOf(memory, settings);
  const idleBytes = settings.connectionsMax * listenersOf(settings) * idleConnectionBytes;
  return { ...shares, idleConnections: Math.min(shares.idleConnections, idleBytes) };
}

/** Returns how many listeners a process has. */
export function listenersOf({ console, consoleListen }: Omit<ConnectionSettings, 'connectionsMax'>): number {
  return console && consoleListen !== '' ? 2 : 1;
}

/** Returns the memory of a process whose clients make it hold as much as they can, in bytes. */
export function worstCaseBytesOf(
  memory: ProcessMemory,
  settings: SharingSettings & ConnectionSettings,
): number {
  const usableBytes = usableBytesOf(memory, settings.workers);
  const bounds = boundsOf(largestBodyBytes(settings), usableBytes, memory.heapBytesMax);
  const held = heldAtMostOf(memory, settings);
  return ordinaryBytes + sumOf(mapBounds(bounds, (bound, name) => takenBy(bound, held[name])));
}

function boundsOf(
  largestBody: number,
  usableBytes: number,
  heapBytesMax: number,
): Readonly<Record<ShareName, Bound>> {
  const bodies = Math.min(512 * mebibyte, usableBytes / 4);
  const carriedOut = Math.min(usableBytes, heapBytesMax) / 32;
  const packets = Math.max(4 * mebibyte, Math.min(128 * mebibyte, usableBytes / 16));
  const answers = Math.min(256 * mebibyte, usableBytes / 4);
  const oneBody = largestBody + bodyOverheadBytes;
  const content = Math.min(largestBody, largestContentBytes);
  return {
    smallBodies: { least: 8 * mebibyte, most: Math.max(4 * mebibyte, bodies / 4), hundredths: 6 },
    largeBodies: { least: oneBody, most: Math.max(oneBody, (bodies * 3) / 4), hundredths: 6 },
    carriedOut: {
      least: largestBody,
      most: Math.max(largestBody, carriedOut),
      hundredths: 11,
      times: timesOfCarriedOut,
      leastTakes: timesOfCarriedOut * content + largestBody - content,
    },
    carriedOutMiddle: {
      least: 2 * mebibyte,
      most: Math.max(2 * mebibyte, carriedOut / 4),
      hundredths: 6,
      times: timesOfMiddle,
    },
    readAnswers: { least: 64 * mebibyte, most: Math.max(64 * mebibyte, answers), hundredths: 6 },
    // With 512 requests and 4 MiB for their bodies, 800 stalled uploads kept every other client from writing.
    waitingRequests: { least: 1_024 * requestBytes, most: 8_192 * requestBytes, hundredths: 3 },
    waitingBodies: { least: 16 * mebibyte, most: packets, hundredths: 2 },
    waitingChunkedBodies: { least: 8 * mebibyte, most: packets, hundredths: 3 },
    chunkTurns: { least: 4 * mebibyte, most: packets, hundredths: 2 },
    // One connection can have 50. With 512 requests, ten connections kept every other client from sending ahead.
    queuedResponses: { least: 2_048 * requestBytes, most: 8_192 * requestBytes, hundredths: 3 },
    heldRefusals: { least: 256 * requestBytes, most: 16_384 * requestBytes, hundredths: 3 },
    idleConnections: { least: 12 * mebibyte, most: usableBytes / 8, hundredths: 14 },
    unfinishedHeaders: { least: 4 * mebibyte, most: 16 * mebibyte, hundredths: 2, times: timesOfHeaders },
  };
}

function takenBy({ least, times = 1, leastTakes = least * times }: Bound, bytes: number): number {
  return leastTakes + (bytes - least) * times;
}

function mapBounds(
  bounds: Readonly<Record<ShareName, Bound>>,
  map: (bound: Bound, name: ShareName) => number,
): MemoryShares {
  const entries = Object.entries(bounds) as [ShareName, Bound][];
  return Object.fromEntries(entries.map(([name, bound]) => [name, map(bound, name)])) as Record<
    ShareName,
    number
  >;
}

function sumOf(shares: MemoryShares): number {
  return Object.values(shares).reduce((sum, bytes) => sum + bytes, 0);
}
