import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

export interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

/** What V8 writes: a tree of calls, and in which of them it was found at each look. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: CallFrame;
    readonly children?: readonly number[];
  }[];
  /** Ids of nodes. */
  readonly samples: readonly number[];
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[];
}

export function readProfile(file: string): CpuProfile {
  return JSON.parse(readFileSync(file, 'utf8')) as CpuProfile;
}

/** Microseconds spent in each node itself and not in what it calls, by id; waiting for work is left out. */
export function selfTimes({ nodes, samples, timeDeltas }: CpuProfile): Map<number, number> {
  const idle = new Set(
    nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id),
  );
  const spent = new Map<number, number>();
  samples.forEach((id, index) => {
    if (!idle.has(id)) spent.set(id, (spent.get(id) ?? 0) + (timeDeltas[index] ?? 0));
  });
  return spent;
}

export function frameName({ functionName, url, lineNumber }: CallFrame): string {
  const name = functionName === '' ? '(anonymous)' : functionName;
  return url === '' ? name : `${name} ${basename(url)}:${lineNumber + 1}`;
}
