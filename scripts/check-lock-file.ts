import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { reportProblems } from './report-problems.ts';

type Versions = Readonly<Record<string, string>>;

interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Versions;
  readonly devDependencies?: Versions;
  readonly optionalDependencies?: Versions;
}

type Packages = Readonly<Record<string, LockedPackage>>;

/**
 * Checks that a bare checkout can be installed from the lock file, wherever that is: it names no server to download
 * from, has a digest for every package, and has every package that is wanted, those for other machines included.
 */
export function checkLockFile(root: string): string[] {
  const { packages } = readJson(root, 'package-lock.json') as { packages: Packages };
  return [
    ...Object.entries(packages).flatMap(([path, entry]) => checkSource(path, entry)),
    ...Object.entries(packages).flatMap(([path, entry]) => checkWanted(path, entry, packages)),
    ...globSync(['package.json', 'packages/*/package.json'], { cwd: root }).flatMap((path) =>
      checkWorkspace(root, path, packages),
    ),
  ];
}

function checkSource(path: string, { resolved, integrity, link, optional }: LockedPackage): string[] {
  if (resolved !== undefined && /^[a-z+]+:/i.test(resolved)) return [`${path}: names the server ${resolved}`];
  const downloaded = path.includes('node_modules/') && link !== true;
  // A mirror may lack what is for other machines; then there is no digest to write down.
  return downloaded && integrity === undefined && optional !== true ? [`${path}: has no digest`] : [];
}

/** npm drops a package that its registry does not have, and then refuses its own file elsewhere. */
function checkWanted(path: string, entry: LockedPackage, packages: Packages): string[] {
  const wanted = Object.keys({ ...entry.dependencies, ...entry.optionalDependencies });
  return wanted
    .filter((name) => !foldersAbove(path).some((folder) => `${folder}node_modules/${name}` in packages))
    .map((name) => `${path || 'the workspace'}: wants ${name}, which is not in the lock file`);
}

/** Where Node.js looks for a package's dependencies: in its own folder, then in every one above. */
function foldersAbove(path: string): string[] {
  const folders = ['', ...(path === '' ? [] : [`${path}/`])];
  for (
    let end = path.lastIndexOf('/node_modules/');
    end > 0;
    end = path.lastIndexOf('/node_modules/', end - 1)
  ) {
    folders.push(`${path.slice(0, end)}/`);
  }
  return folders;
}

function checkWorkspace(root: string, path: string, packages: Packages): string[] {
  const folder = path.replaceAll('\\', '/').replace(/\/?package\.json$/, '');
  const manifest = readJson(root, path) as LockedPackage;
  const entry = packages[folder];
  const name = folder || 'the workspace';
  if (entry === undefined) return [`${name}: is not in the lock file; run npm install`];
  const agrees = (['dependencies', 'devDependencies', 'optionalDependencies'] as const).every((kind) =>
    isDeepStrictEqual(entry[kind] ?? {}, manifest[kind] ?? {}),
  );
  return agrees ? [] : [`${name}: has other dependencies in the lock file; run npm install`];
}

function readJson(root: string, path: string): unknown {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

if (import.meta.main) reportProblems(checkLockFile(process.cwd()), 'a bare checkout can be installed');
