import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
}

/** Matches the path of a package's folder. */
const folderOfPackage = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/**
 * Returns the license notices of all third-party code in a program.
 *
 * @param inputs paths of the modules, relative to the root
 * @throws {Error} for a package whose license cannot be determined
 */
export function thirdPartyNotices(root: string, inputs: readonly string[]): string {
  const folders = new Set(inputs.flatMap((path) => folderOfPackage.exec(path)?.[0] ?? []));
  const notices = [...folders].map((folder) => noticeOf(join(root, folder)));
  if (inputs.some((path) => listOfPasswords.test(path))) notices.push(noticeOfPasswords);
  return [introduction, ...[...new Set(notices)].sort()].join(`\n${'-'.repeat(80)}\n\n`);
}

/** Matches the file that was derived from another project's list. */
const listOfPasswords = /\/common-password-hashes\.[jt]s$/;

const introduction = `This program contains the following packages, each under its own license.\n`;

function noticeOf(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const { name, version, license } = manifest;
  const texts = licenseFiles(folder) ?? licenseInReadme(folder) ?? licenseByName(manifest);
  if (texts === undefined) throw new Error(`${name} says nowhere what its license is`);
  return `${[`${name} ${version}${license === undefined ? '' : ` (${license})`}`, ...texts].join('\n\n')}\n`;
}

function licenseFiles(folder: string): string[] | undefined {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  return files.length === 0 ? undefined : files.map((file) => readText(folder, file));
}

function licenseInReadme(folder: string): string[] | undefined {
  const readme = readdirSync(folder).find((file) => /^readme/i.test(file));
  if (readme === undefined) return undefined;
  const [, section] = /^#+ *licen[cs]e\s+([\s\S]*)/im.exec(readText(folder, readme)) ?? [];
  return section?.includes('Permission is hereby granted') ? [section.trim()] : undefined;
}

/** Supplies the text for packages that name only the MIT license and an author; otherwise returns `undefined`. */
function licenseByName({ license, author }: Manifest): string[] | undefined {
  const holder = typeof author === 'object' ? author.name : author;
  return license === 'MIT' && holder !== undefined ? [`Copyright (c) ${holder}`, mitText] : undefined;
}

function readText(folder: string, file: string): string {
  return readFileSync(join(folder, file), 'utf8').trim();
}

const mitText = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

const noticeOfPasswords = `SecLists, hashes of common passwords (MIT)\n\nCopyright (c) 2025 Daniel Miessler\n\n${mitText}\n`;
