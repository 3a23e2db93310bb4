import { readFileSync } from 'node:fs';
import { findPackageJSON, stripTypeScriptTypes } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Modules that a browser can load, by their names below the folder of modules, such as `page/main.js`. */
export type BrowserModules = ReadonlyMap<string, string>;

export interface ModuleSources {
  /** URL of the module that the page starts. */
  readonly main: string;
  /** URL of the signing library's main module. */
  readonly signing: string;
}

/**
 * Reads a module and everything that it imports, as a browser wants them: types stripped where there are any,
 * and every import by the URL of a module that is in the result.
 *
 * @throws {Error} for an import from elsewhere, as of a module of Node.js
 */
export function readBrowserModules(sources: ModuleSources): BrowserModules {
  const folders = foldersOf(sources);
  const modules = new Map<string, string>();
  const add = (url: URL): string => {
    const name = nameOf(url, folders);
    if (modules.has(name)) return name;
    // Before what it imports: modules may import each other.
    modules.set(name, '');
    const code = readJavaScript(url);
    const linked = code.replace(importStatement, (_, start: string, specifier: string) => {
      const target = resolve(specifier, url, sources);
      return `${start}'${'../'.repeat(name.split('/').length - 1)}${add(target)}'`;
    });
    modules.set(name, linked);
    return name;
  };
  add(new URL(sources.main));
  return modules;
}

/** At the beginning of a line: what comments quote is indented, or begins with an asterisk. */
const importStatement = /^((?:import|export)\b[\w\s{},*$]*?(?:\bfrom\s*)?)['"]([^'"]+)['"]/gm;

function readJavaScript(url: URL): string {
  const text = readFileSync(url, 'utf8');
  return url.pathname.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
}

const hashesPackage = '@noble/hashes';

function resolve(specifier: string, from: URL, { signing }: ModuleSources): URL {
  if (specifier.startsWith('.')) return new URL(specifier, from);
  if (specifier === '@fieldroster/signing') return new URL(signing);
  if (specifier === '#crypto') return new URL(`crypto/portable${extensionOf(signing)}`, signing);
  if (specifier.startsWith(`${hashesPackage}/`)) return inHashes(specifier, signing);
  throw new Error(`${from.href} imports ${specifier}, which no browser has`);
}

function inHashes(specifier: string, signing: string): URL {
  return new URL(specifier.slice(hashesPackage.length + 1), hashesFolder(signing));
}

function hashesFolder(signing: string): URL {
  const manifest = findPackageJSON(hashesPackage, signing);
  if (manifest === undefined) throw new Error(`${hashesPackage} is not installed`);
  return new URL('.', pathToFileURL(manifest));
}

function foldersOf({ main, signing }: ModuleSources): ReadonlyMap<string, string> {
  return new Map([
    ['page', new URL('.', main).href],
    ['signing', new URL('.', signing).href],
    ['hashes', hashesFolder(signing).href],
  ]);
}

function nameOf({ href }: URL, folders: ReadonlyMap<string, string>): string {
  for (const [name, folder] of folders) {
    if (href.startsWith(folder)) return `${name}/${href.slice(folder.length).replace(/\.ts$/, '.js')}`;
  }
  throw new Error(`${href} is in no folder that the page may load modules from`);
}

function extensionOf(url: string): string {
  return url.slice(url.lastIndexOf('.'));
}
