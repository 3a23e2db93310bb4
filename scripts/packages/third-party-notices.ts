import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** Whatever of a package's path is before its files. */
const folderOfPackage = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/**
 * The licenses of everything from elsewhere that went into a program, as they ask for.
 *
 * @param inputs paths of the modules, from the root
 * @throws {Error} for a package that brings neither a license's text nor its name
 */
export function thirdPartyNotices(root: string, inputs: readonly string[]): string {
  const folders = new Set(inputs.flatMap((path) => folderOfPackage.exec(path)?.[0] ?? []));
  const notices = [...folders].map((folder) => noticeOf(join(root, folder)));
  return [introduction, ...[...new Set(notices)].sort()].join(`\n${'-'.repeat(80)}\n\n`);
}

const introduction = `This program contains the following packages, each under its own license.\n`;

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Manifest;
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length === 0 && license === undefined)
    throw new Error(`${name} says nowhere what its license is`);
  return `${[`${name} ${version} (${license ?? 'license below'})`, ...texts].join('\n\n')}\n`;
}
