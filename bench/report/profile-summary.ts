import { type CpuProfile, frameName, selfTimes } from './cpu-profile.ts';

/** The functions in which a profile's time was spent, themselves and not what they call, one per line. */
export function summarizeProfile(profile: CpuProfile, lines: number): string {
  const times = selfTimes(profile);
  const spent = new Map<string, number>();
  let total = 0;
  for (const { id, callFrame } of profile.nodes) {
    const [name, time] = [frameName(callFrame), times.get(id) ?? 0];
    spent.set(name, (spent.get(name) ?? 0) + time);
    total += time;
  }
  return [...spent]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, lines)
    .map(([name, time]) => `${((100 * time) / total).toFixed(1).padStart(5)} %  ${name}`)
    .join('\n');
}
