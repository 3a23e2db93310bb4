import type { ExplainedSurvivor } from './explained-survivors.ts';

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

/** A mutant with the line that it changes. */
interface Change {
  readonly file: string;
  readonly line: string;
  readonly replacement: string;
  readonly status: string;
  readonly where: string;
  readonly mutatorName: string;
}

const noticed = new Set(['Killed', 'Timeout']);
const unnoticed = new Set(['Survived', 'NoCoverage']);

/**
 * Lists the survivors of a room that have no explanation, one per line, then the score: noticed changes per
 * noticeable one, and the number of survivors that are explained.
 */
export function summarize(
  room: string,
  report: MutationReport,
  explained: readonly ExplainedSurvivor[],
): string {
  const changes = listChanges(report);
  const killed = changes.filter(({ status }) => noticed.has(status)).length;
  const survivors = changes.filter(({ status }) => unnoticed.has(status));
  const open = survivors.filter((survivor) => !explained.some((entry) => explains(entry, survivor)));
  const total = killed + survivors.length;
  const share = total === 0 ? 100 : (100 * killed) / total;
  const lines = open.map(
    ({ where, status, mutatorName, line, replacement }) =>
      `${where} ${status} ${mutatorName}: ${line} -> ${replacement}`,
  );
  const score = `${room}: ${killed} of ${total} changes noticed, ${share.toFixed(1)} %`;
  const rest = `${survivors.length - open.length} explained, ${open.length} open`;
  return [...lines, `${score}; ${rest}`].join('\n');
}

function listChanges({ files }: MutationReport): Change[] {
  return Object.entries(files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split('\n');
    return mutants.map(({ mutatorName, replacement = '', status, location: { start } }) => ({
      file,
      line: (lines[start.line - 1] ?? '').trim(),
      replacement: replacement.replaceAll(/\s+/g, ' '),
      status,
      where: `${file}:${start.line}:${start.column}`,
      mutatorName,
    }));
  });
}

function explains({ file, line, replacement }: ExplainedSurvivor, change: Change): boolean {
  return file === change.file && line === change.line && replacement === change.replacement;
}
