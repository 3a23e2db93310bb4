/** The severity of a finding. A note and an ok line do not change the exit code. */
export type FindingLevel = 'ok' | 'note' | 'warning' | 'error';

/** One result of a check. */
export interface Finding {
  readonly level: FindingLevel;
  /** The finding, with values and units. */
  readonly message: string;
  /** What to do about it; absent for ok lines. */
  readonly advice?: string;
}

/** A finding together with the name of its check. */
export interface NamedFinding extends Finding {
  readonly check: string;
}

export function ok(message: string): Finding {
  return { level: 'ok', message };
}

export function note(message: string, advice: string): Finding {
  return { level: 'note', message, advice };
}

export function warning(message: string, advice: string): Finding {
  return { level: 'warning', message, advice };
}

export function error(message: string, advice: string): Finding {
  return { level: 'error', message, advice };
}

/** What to do if the data folder cannot be looked at. */
export const adviceOnDataFolder =
  'name the data folder of the server with --data, and run the doctor as the user of the server';

/** Lists the first faults and says that there are more. */
export function listExamples({ count, examples }: { count: number; examples: readonly string[] }): string {
  return examples.join('; ') + (count > examples.length ? '; …' : '');
}
