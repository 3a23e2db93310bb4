/** The text of a setting in a configuration file. */
export interface FileSetting {
  readonly text: string;
  /** The key and its file, for messages. */
  readonly source: string;
}

/** The settings that a configuration file has, by their keys. */
export type FileSettings = Readonly<Record<string, FileSetting | undefined>>;

/** The properties of a setting that this file needs. */
interface Definition {
  readonly key: string;
  readonly flag: string;
  readonly environment: string;
  readonly defaultText: string;
  readonly secret?: boolean;
  readonly parse: (text: string) => unknown;
}

/** Where settings may come from, the most important first. */
export interface SettingSources {
  /** The text of each flag that was given, by the key of its setting. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly environment: NodeJS.ProcessEnv;
  readonly file: FileSettings;
}

/** The value of a setting, and the source that decided it. */
export interface Resolved<D extends Definition> {
  readonly definition: D;
  readonly text: string;
  /** The flag, the variable, or the key in the file; `undefined` for the default. */
  readonly origin: string | undefined;
  /** Absent when there is a problem. */
  readonly value?: ReturnType<D['parse']>;
  /** Says what is wrong with the text, and what is accepted. Never repeats a secret. */
  readonly problem?: string;
}

/** Takes a setting from the first source that has it, and checks its value. */
export function resolveSetting<D extends Definition>(definition: D, sources: SettingSources): Resolved<D> {
  const { text = definition.defaultText, source } = findText(definition, sources);
  const found = { definition, text, origin: source };
  try {
    return { ...found, value: definition.parse(text) as ReturnType<D['parse']> };
  } catch (error) {
    const shown = definition.secret === true ? 'not accepted' : JSON.stringify(text);
    const problem = `${source ?? definition.flag} is ${shown}; it must be ${(error as Error).message}`;
    return { ...found, problem };
  }
}

function findText(
  { key, flag, environment: variable }: Definition,
  { flags, environment, file }: SettingSources,
): { readonly text?: string; readonly source?: string } {
  const fromFlag = flags[key];
  if (fromFlag !== undefined) return { text: fromFlag, source: flag.split(' ')[0] ?? flag };
  const fromEnvironment = environment[variable];
  // An empty variable counts as not set.
  if (fromEnvironment) {
    const suffix = environment[`${variable}_FILE`] ? '_FILE' : '';
    return { text: fromEnvironment, source: variable + suffix };
  }
  return file[key] ?? {};
}
