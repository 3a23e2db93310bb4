import { statSync } from 'node:fs';
import { extname } from 'node:path';
import type { FileSetting, FileSettings, SettingDefinition, Settings } from '@fieldroster/server/admin';
import { quoteForShell, settingDefinitions } from '@fieldroster/server/admin';
import { parse as parseToml, TomlError } from 'smol-toml';
import { readableByAnyone, whyUnreadable } from '../files/file-faults.ts';
import { readSmallFile } from '../files/read-small-file.ts';
import { findJsonFault } from '../import/find-json-fault.ts';
import { warn } from '../output/print.ts';
import { UsageError } from '../run-program.ts';
import { findRepeatedKey } from './find-repeated-key.ts';
import { settingText } from './setting-text.ts';
import { suggestName } from './suggest-name.ts';

/** Environment variable that names the configuration file. */
export const configVariable = 'FIELDROSTER_CONFIG';

/** A key or a value in the file that is not accepted. */
export interface ConfigProblem {
  /** The setting; absent for a key that names no setting. */
  readonly key?: keyof Settings;
  /** Names the file and the key. */
  readonly message: string;
  /** Names the setting and the file; present only if the value has the wrong type. */
  readonly source?: string;
}

export interface ConfigFile {
  readonly path: string;
  readonly text: string;
  readonly settings: FileSettings;
  readonly problems: readonly ConfigProblem[];
}

const definitionsByName: ReadonlyMap<string, SettingDefinition> = new Map(
  settingDefinitions.map((definition) => [settingName(definition), definition]),
);

/** Returns the name of a setting in a file: its flag without the leading hyphens. */
export function settingName({ flag }: SettingDefinition): string {
  return flag.slice(2).split(' ')[0] ?? '';
}

/** Returns the path of the configuration file, or `undefined` when neither the flag nor the environment names one. */
export function configPath(flag: string | undefined, environment: NodeJS.ProcessEnv): string | undefined {
  if (flag === '') throw new UsageError('--config is empty; name a file, or leave the flag out');
  return flag ?? (environment[configVariable] || undefined);
}

/** Returns whether the configuration comes through a pipe, which gives it only once. */
export function comesThroughPipe(flag: string | undefined, environment: NodeJS.ProcessEnv): boolean {
  const path = configPath(flag, environment);
  return path !== undefined && statSync(path, { throwIfNoEntry: false })?.isFIFO() === true;
}

/**
 * Reads a configuration file. Types and names are checked here; the settings check the values.
 *
 * @throws {UsageError} when the file cannot be read or parsed; the message has the line where the parser gives it
 */
export function readConfigFile(path: string): ConfigFile {
  const file = readConfigText(path, readText(path));
  warnOfExposedSecrets(file);
  return file;
}

/** Reads the text of a configuration file, without opening the file. */
function readConfigText(path: string, text: string): ConfigFile {
  const entries = Object.entries(parseText(path, text)).map(([name, value]) => readEntry(path, name, value));
  const settings: Partial<Record<keyof Settings, FileSetting>> = {};
  for (const { key, setting } of entries)
    if (key !== undefined && setting !== undefined) settings[key] = setting;
  return { path, text, settings, problems: entries.flatMap(({ problem }) => problem ?? []) };
}

/**
 * Returns the settings of the file that the flag or the environment names; none without a file.
 *
 * @param keys the settings that the command uses; problems of others are ignored; all when left out
 * @throws {UsageError} for the first problem
 */
export function fileSettings(
  flag: string | undefined,
  environment: NodeJS.ProcessEnv,
  keys?: readonly string[],
): FileSettings {
  const path = configPath(flag, environment);
  return path === undefined ? {} : settingsWithoutProblem(readConfigFile(path), keys);
}

/**
 * Returns all settings of the file, and its text; neither without a file.
 *
 * @param read what was read of the file before; when given, the file is not opened, and a text of `undefined` means no file
 * @throws {UsageError} for the first problem
 */
export function readConfiguration(
  flag: string | undefined,
  environment: NodeJS.ProcessEnv,
  read?: { readonly text: string | undefined },
): { readonly text: string | undefined; readonly settings: FileSettings } {
  const path = configPath(flag, environment);
  if (path === undefined || (read !== undefined && read.text === undefined))
    return { text: undefined, settings: {} };
  const file = read?.text === undefined ? readConfigFile(path) : readConfigText(path, read.text);
  return { text: file.text, settings: settingsWithoutProblem(file) };
}

function settingsWithoutProblem({ settings, problems }: ConfigFile, keys?: readonly string[]): FileSettings {
  const isUsed = (key: string | undefined) => keys === undefined || (key !== undefined && keys.includes(key));
  const [first, ...others] = problems.filter(({ key }) => isUsed(key));
  if (first === undefined) return Object.fromEntries(Object.entries(settings).filter(([key]) => isUsed(key)));
  const more = others.length === 0 ? '' : ' (there are more mistakes; fieldroster config check lists all)';
  throw new UsageError(first.message + more);
}

interface Entry {
  readonly key?: keyof Settings;
  readonly setting?: FileSetting;
  readonly problem?: ConfigProblem;
}

function readEntry(path: string, name: string, value: unknown): Entry {
  const definition = definitionsByName.get(name);
  if (definition === undefined) return { problem: { message: `${path}: ${describeUnknown(name, value)}` } };
  const { key } = definition;
  const source = `${name} in ${path}`;
  try {
    return { key, setting: { text: settingText(definition, value), source } };
  } catch (error) {
    return { problem: { key, source, message: `${path}: ${name} ${(error as Error).message}` } };
  }
}

function describeUnknown(name: string, value: unknown): string {
  return `there is no setting ${JSON.stringify(name)}; ${whatIsMeant(name, value)}`;
}

function whatIsMeant(name: string, value: unknown): string {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return 'settings may not be in a table or object; put them at the top level of the file';
  const suggestion = suggestName(name, [...definitionsByName.keys()]);
  return suggestion === undefined
    ? 'remove it, or choose one of those that fieldroster serve --help lists'
    : `did you mean ${suggestion}?`;
}

function parseText(path: string, text: string): object {
  const parsed = extname(path).toLowerCase() === '.json' ? parseAsJson(path, text) : parseAsToml(path, text);
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  throw new UsageError(`${path} must contain one JSON object whose keys are names of settings`);
}

function readText(path: string): string {
  const bytes = readBytes(path);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // ASCII letters in UTF-16 without a byte order mark are valid UTF-8, with a NUL beside each letter.
    if (!text.includes('\0')) return text;
  } catch {
    // The message is the same for both.
  }
  throw new UsageError(
    `${path} is not UTF-8; it may be UTF-16, which Windows PowerShell writes; save it as UTF-8`,
  );
}

function readBytes(path: string): Uint8Array {
  try {
    return readSmallFile(path);
  } catch (error) {
    const named = `--config or ${configVariable} names ${path}`;
    throw new UsageError(`${named}, which ${whyUnreadable(error)}`, { cause: error });
  }
}

function parseAsToml(path: string, text: string): unknown {
  try {
    return parseToml(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The rest of the message quotes the line, which may hold a password.
    const reason = error.message.split('\n', 1)[0]?.replace('Invalid TOML document: ', '');
    throw new UsageError(`${path}, line ${error.line}, column ${error.column}: not valid TOML: ${reason}`);
  }
}

function parseAsJson(path: string, text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    requireKeysOnce(path, text);
    return parsed;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    // The parser's message may quote a password, and does not always have the position.
    const lines = text.slice(0, findJsonFault(text)).split('\n');
    const column = (lines.at(-1) ?? '').length + 1;
    throw new UsageError(`${path}, line ${lines.length}, column ${column}: not valid JSON`);
  }
}

function requireKeysOnce(path: string, json: string): void {
  const repeated = findRepeatedKey(json);
  if (repeated === undefined) return;
  const { key, line } = repeated;
  throw new UsageError(
    `${path}, line ${line}: ${JSON.stringify(key)} is set a second time; keep one of them`,
  );
}

function warnOfExposedSecrets({ path, settings }: ConfigFile): void {
  const secrets = settingDefinitions.filter(
    ({ key, secret }) => secret === true && settings[key] !== undefined,
  );
  if (secrets.length === 0 || process.platform === 'win32' || !readableByAnyone(statSync(path).mode)) return;
  const names = secrets.map(settingName).join(' and ');
  warn(
    `${path} has ${names}, which may hold a password, and any user of this machine can read it; run: chmod 600 ${quoteForShell(path)}`,
  );
}
