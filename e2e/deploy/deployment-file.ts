import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { repositoryRoot } from '../fieldroster-command.ts';

/** Parsed YAML. A test reads only the values that it checks. */
export type Yaml = string | number | boolean | null | readonly Yaml[] | { readonly [key: string]: Yaml };

export function deploymentPath(name: string): string {
  return join(repositoryRoot, 'deploy', name);
}

export function readDeploymentFile(name: string): string {
  return readFileSync(deploymentPath(name), 'utf8');
}

/** Reads the single document of a file, with its anchors and merges resolved. */
export function readYaml(name: string): Yaml {
  return parse(readDeploymentFile(name), { merge: true });
}

export function readAllYaml(name: string): readonly Yaml[] {
  return parseAllDocuments(readDeploymentFile(name)).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    return document.toJS() as Yaml;
  });
}

/** Returns the value at the path of keys; `undefined` if there is none. */
export function at(value: Yaml | undefined, ...keys: readonly (string | number)[]): Yaml | undefined {
  return keys.reduce<Yaml | undefined>((found, key) => {
    if (typeof found !== 'object' || found === null) return undefined;
    return (found as Record<string | number, Yaml>)[key];
  }, value);
}

/** Returns every value of that key, at any depth. */
export function allAt(value: Yaml | undefined, key: string): readonly Yaml[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === key ? [inner] : []),
    ...allAt(inner, key),
  ]);
}

const units: Readonly<Record<string, number>> = {
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  k: 2 ** 10,
  m: 2 ** 20,
  g: 2 ** 30,
  M: 2 ** 20,
  G: 2 ** 30,
};

/** Returns the bytes of a size in the notation of Kubernetes (1Gi), Compose (1g) or systemd (1G). */
export function sizeInBytes(text: Yaml | undefined): number {
  const [, digits, unit = ''] = /^(\d+)([A-Za-z]*)$/.exec(String(text)) ?? [];
  const factor = unit === '' ? 1 : units[unit];
  if (digits === undefined || factor === undefined) throw new TypeError(`${text} is not a size`);
  return Number(digits) * factor;
}
