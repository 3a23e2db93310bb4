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
 * Checks that any machine can install a bare checkout from the lock file: it names no download server, and
 * contains every wanted package with a digest, including packages for other machines.
 */
export function checkLockFile(root: string): string[] {
  const { packages } = readJson(root, 'package-lock.json') as { packages: Packages };
  return [
    ...Object.entries(packages).flatMap(([path, entry]) => checkSource(path, entry)),
    ...Object.entries(packages).flatMap(([path, entry]) => checkWanted(path, entry, packages)),
    ...globSync(['package.json', '{packages/*,scripts}/package.json'], { cwd: root }).flatMap((path) =>
      checkWorkspace(root, path, packages),
    ),
  ];
}

function checkSource(path: string, { resolved, integrity, link, optional }: LockedPackage): string[] {
  if (resolved !== undefined && /^[a-z+]+:/i.test(resolved)) return [`${path}: names the server ${resolved}`];
  const downloaded = path.includes('node_modules/') && link !== true;
  // A registry mirror may lack packages for other machines, which then have no digest.
  return downloaded && integrity === undefined && optional !== true ? [`${path}: has no digest`] : [];
}

/** Reports missing packages: npm drops those that its registry lacks, and elsewhere refuses the file it wrote. */
function checkWanted(path: string, entry: LockedPackage, packages: Packages): string[] {
  const wanted = Object.keys({ ...entry.dependencies, ...entry.optionalDependencies });
  return wanted
    .filter((name) => !foldersAbove(path).some((folder) => `${folder}node_modules/${name}` in packages))
    .map((name) => `${path || 'the workspace'}: wants ${name}, which is not in the lock file`);
}

/** Lists the folders where Node.js looks for a package's dependencies: its own, then every parent. */
function foldersAbove(path: string): string[] {
  const between = '/node_modules/';
  const names = path.split(between);
  return ['', ...names.map((_, index) => `${names.slice(0, index + 1).join(between)}/`)];
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
