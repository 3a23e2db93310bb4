import type {
  AdviceValues,
  FindingValues,
  SaidAdvice,
  SaidFinding,
  UnmadeCheck,
} from '@fieldroster/contract/console';
import { closedFolderAbove } from '../../machine/closed-folder-above.ts';

/** The severity of a finding. A note and an ok line do not change the exit code. */
export type FindingLevel = 'ok' | 'note' | 'warning' | 'error';

/** One result of a check. */
export interface Finding {
  readonly level: FindingLevel;
  /** The finding, with values and units. */
  readonly message: string;
  /** Advice about the finding; absent for ok lines. */
  readonly advice?: string;
  /** The message as data, which the console says in other languages. */
  readonly said?: SaidFinding;
  /** The advice as data. */
  readonly advised?: SaidAdvice;
}

/** A finding that the console can say in other languages. */
export interface TranslatedFinding extends Finding {
  readonly said: SaidFinding;
}

/** A finding together with the name of its check. */
export interface NamedFinding extends Finding {
  readonly check: string;
}

/** A sentence in English and as data. */
export interface Told<Said> {
  readonly text: string;
  readonly said: Said;
}

/** Says in English what was found, and as data. */
export function tell<Key extends keyof FindingValues>(
  text: string,
  key: Key,
  values: FindingValues[Key],
): Told<SaidFinding> {
  return { text, said: { key, values } as SaidFinding };
}

/** Says in English what to do, and as data. */
export function advise<Key extends keyof AdviceValues>(
  text: string,
  key: Key,
  values: AdviceValues[Key],
): Told<SaidAdvice> {
  return { text, said: { key, values } as SaidAdvice };
}

export function ok({ text, said }: Told<SaidFinding>): TranslatedFinding {
  return { level: 'ok', message: text, said };
}

export function note(...told: ToldWithAdvice): TranslatedFinding {
  return withAdvice('note', ...told);
}

export function warning(...told: ToldWithAdvice): TranslatedFinding {
  return withAdvice('warning', ...told);
}

export function error(...told: ToldWithAdvice): TranslatedFinding {
  return withAdvice('error', ...told);
}

type ToldWithAdvice = [message: Told<SaidFinding>, advice: Told<SaidAdvice>];

function withAdvice(level: FindingLevel, ...[message, advice]: ToldWithAdvice): TranslatedFinding {
  return { level, message: message.text, advice: advice.text, said: message.said, advised: advice.said };
}

/** Makes a finding of a slow check, which only the command makes, in English. */
export function inEnglish(level: FindingLevel, message: string, advice?: string): Finding {
  return { level, message, ...(advice !== undefined && { advice }) };
}

/** Advice about a data folder that cannot be looked at. */
export const adviceOnDataFolder = advise(
  'name the data folder of the server with --data, and run the doctor as the user of the server',
  'nameDataFolder',
  {},
);

/** Advice about the full disk of the database. */
export const adviceOnFullDisk = advise(
  'make room: without it, writes are refused with code 1503',
  'makeRoom',
  {},
);

/**
 * Advises about a folder that cannot be looked at. If a folder above keeps this user out, only another user can look;
 * `otherwise` is the advice for all other causes.
 */
export function adviceUnlessClosed(folder: string, otherwise: Told<SaidAdvice>): Told<SaidAdvice> {
  const closed = closedFolderAbove(folder);
  if (closed === undefined) return otherwise;
  return advise(`run the doctor as root, because this user may not enter ${closed}`, 'asRoot', {
    folder: closed,
  });
}

export const asServerUser = advise('run the doctor as the user of the server', 'asServerUser', {});

/** Lists the first faults and says that there are more. */
export function listExamples({ count, examples }: { count: number; examples: readonly string[] }): string {
  return examples.join('; ') + (count > examples.length ? '; …' : '');
}

/** Lists checks that were not made. */
export function listChecks(checks: readonly UnmadeCheck[]): string {
  return checks.map(({ name, inPart }) => (inPart ? `${name} (in part)` : name)).join(', ');
}
