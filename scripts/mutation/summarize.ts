/** The part of the tester's report that is read here. Source: the mutation testing report schema, version 2. */
export interface MutationReport {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

const noticed = new Set(['Killed', 'Timeout']);
const unnoticed = new Set(['Survived', 'NoCoverage']);

/** Lists the survivors of a room, one per line, and its score: noticed mutations per noticeable one. */
export function summarize(room: string, report: MutationReport): string {
  const mutants = Object.entries(report.files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => ({
      ...mutant,
      file,
      line: source.split('\n')[mutant.location.start.line - 1] ?? '',
    })),
  );
  const survivors = mutants.filter(({ status }) => unnoticed.has(status));
  const killed = mutants.filter(({ status }) => noticed.has(status)).length;
  const lines = survivors.map(
    ({ file, line, location, mutatorName, replacement = '', status }) =>
      `${file}:${location.start.line}:${location.start.column} ${status} ${mutatorName}: ${line.trim()} -> ${replacement.replaceAll(/\s+/g, ' ')}`,
  );
  const share = killed + survivors.length === 0 ? 100 : (100 * killed) / (killed + survivors.length);
  return [
    ...lines,
    `${room}: ${killed} of ${killed + survivors.length} changes noticed, ${share.toFixed(1)} %`,
  ].join('\n');
}
