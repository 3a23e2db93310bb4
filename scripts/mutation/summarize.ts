import type { ExplainedSurvivor } from './explained-survivor.ts';

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
  readonly code: string;
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
    ({ where, status, mutatorName, line, code, replacement }) =>
      `${where} ${status} ${mutatorName}: ${shorten(code)} -> ${shorten(replacement)} in: ${line}`,
  );
  const score = `${room}: ${killed} of ${total} changes noticed, ${share.toFixed(1)} %`;
  const rest = `${survivors.length - open.length} explained, ${open.length} open`;
  return [...lines, `${score}; ${rest}`].join('\n');
}

function listChanges({ files }: MutationReport): Change[] {
  return Object.entries(files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split('\n');
    return mutants.map(({ mutatorName, replacement = '', status, location: { start, end } }) => ({
      file,
      line: (lines[start.line - 1] ?? '').trim(),
      code: toSingleSpaces(textBetween(lines, start, end)),
      replacement: toSingleSpaces(replacement),
      status,
      where: `${file}:${start.line}:${start.column}`,
      mutatorName,
    }));
  });
}

/** Returns the text between two positions. The tester counts lines and columns from 1. */
function textBetween(lines: readonly string[], start: Position, end: Position): string {
  const between = lines.slice(start.line - 1, end.line);
  const last = between.length - 1;
  if (last >= 0) between[last] = (between[last] as string).slice(0, end.column - 1);
  if (last >= 0) between[0] = (between[0] as string).slice(start.column - 1);
  return between.join('\n');
}

const shownCharactersMax = 100;

function shorten(text: string): string {
  return text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text;
}

function toSingleSpaces(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

function explains(explained: ExplainedSurvivor, change: Change): boolean {
  return (['file', 'line', 'code', 'replacement'] as const).every((part) => explained[part] === change[part]);
}
