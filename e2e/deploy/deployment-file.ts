import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { repositoryRoot } from '../fieldroster-command.ts';

/** What YAML holds; a test reads of it what it is about. */
export type Yaml = string | number | boolean | null | readonly Yaml[] | { readonly [key: string]: Yaml };

export function deploymentPath(name: string): string {
  return join(repositoryRoot, 'deploy', name);
}

export function readDeploymentFile(name: string): string {
  return readFileSync(deploymentPath(name), 'utf8');
}

/** The one document of a file, its anchors and merges resolved. */
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

/** The value below the keys; `undefined` where there is none. */
export function at(value: Yaml | undefined, ...keys: readonly (string | number)[]): Yaml | undefined {
  return keys.reduce<Yaml | undefined>((found, key) => {
    if (typeof found !== 'object' || found === null) return undefined;
    return (found as Record<string | number, Yaml>)[key];
  }, value);
}

/** Every value below the key of that name, however deep. */
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

/** Bytes of a size as Kubernetes (1Gi), Compose (1g) or systemd (1G) writes it. */
export function sizeInBytes(text: Yaml | undefined): number {
  const [, digits, unit = ''] = /^(\d+)([A-Za-z]*)$/.exec(String(text)) ?? [];
  const factor = unit === '' ? 1 : units[unit];
  if (digits === undefined || factor === undefined) throw new TypeError(`${text} is not a size`);
  return Number(digits) * factor;
}
