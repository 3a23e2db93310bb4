import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[];
}

/** The functions in which a profile's time was spent, themselves and not what they call, one per line. */
export function summarizeProfile(file: string, lines: number): string {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8')) as CpuProfile;
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const spent = new Map<string, number>();
  let total = 0;
  samples.forEach((id, index) => {
    const name = names.get(id) ?? '';
    const time = timeDeltas[index] ?? 0;
    if (name === '(idle)') return;
    spent.set(name, (spent.get(name) ?? 0) + time);
    total += time;
  });
  return [...spent]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, lines)
    .map(([name, time]) => `${((100 * time) / total).toFixed(1).padStart(5)} %  ${name}`)
    .join('\n');
}

function nameOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const name = functionName === '' ? '(anonymous)' : functionName;
  return url === '' ? name : `${name} ${basename(url)}:${lineNumber + 1}`;
}
