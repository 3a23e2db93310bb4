import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTestFile, listFiles } from '../../list-files.ts';
import { reportProblems } from '../report-problems.ts';
import { areaRules } from './area-rules.ts';
import { importCircles } from './import-circles.ts';
import { type ImportRule, packageRules } from './import-rules.ts';
import { libraryRules } from './library-rules.ts';

/**
 * Checks that imports follow ARCHITECTURE.md, by the rules in `import-rules.ts`, and that no files import each
 * other in a circle, including imports of types. Tests may import anything, as long as only tests import them.
 */
export function checkImports(root: string): string[] {
  const sources = listFiles(root).filter((path) => /\.tsx?$/.test(path));
  const files = sources.filter((path) => /^packages\/[^/]+\/(src|test)\//.test(path));
  return [
    ...files.filter((path) => !isTestFile(path)).flatMap((path) => checkFile(root, path)),
    ...importCircles(new Map(sources.map((path) => [path, relativeImportsOf(root, path)]))).map(
      (circle) => `${circle[0]}: is imported in a circle: ${circle.join(' -> ')}`,
    ),
  ];
}

function relativeImportsOf(root: string, path: string): string[] {
  return importsOf(withoutComments(readFileSync(join(root, path), 'utf8')))
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => resolveRelative(path, specifier));
}

function checkFile(root: string, path: string): string[] {
  const source = withoutComments(readFileSync(join(root, path), 'utf8'));
  const problems = importsOf(source).flatMap((specifier) => problemsOf(path, specifier));
  if (unreadable.test(source)) {
    problems.push('loads a module whose name this check cannot read; import it by a literal name');
  }
  if (path.startsWith('packages/server/src/') && !areaRules.some((rule) => binds(rule, path))) {
    problems.push(
      'is in no area of the server; put it into one, or name a new one in scripts/checks/imports/area-rules.ts',
    );
  }
  return problems.map((problem) => `${path}: ${problem}`);
}

/** Matches `import(` of anything but a literal, unless it is a method of that name, and CommonJS's `require`. */
const unreadable = /(?:=|await|return|\(|=>)\s*import\(\s*[^'"\s]|\brequire\(|\bcreateRequire\b/;

const importStatement =
  /(?:^|\n)\s*(?:import|export)\s(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

/** Returns the specifiers that a source file imports, statically or by `import()`. */
export function importsOf(source: string): string[] {
  const matches = source.matchAll(importStatement);
  return [...matches].map(([, first, second]) => first ?? second ?? '');
}

function withoutComments(source: string): string {
  return source.replace(/^\s*(\/\*[\s\S]*?\*\/|\/\/.*$)/gm, '');
}

function problemsOf(path: string, specifier: string): string[] {
  const target = specifier.startsWith('.') ? resolveRelative(path, specifier) : specifier;
  if (target.startsWith('packages/') && isTestFile(target)) return [`imports ${target}, which is for tests`];
  return [...packageRules, ...areaRules, ...libraryRules]
    .filter((rule) => binds(rule, path) && matchesAny(target, rule.guarded))
    .filter((rule) => !matchesAny(target, rule.allowed))
    .map(({ name, allowed }) => `imports ${target}; ${name} may import ${allowed.join(', ') || 'none such'}`);
}

function binds({ files, except = [] }: ImportRule, path: string): boolean {
  return matchesAny(path, files) && !matchesAny(path, except);
}

/** Returns whether a path matches a pattern; a `*` at the end of a pattern stands for any ending. */
function matchesAny(text: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : text === pattern,
  );
}

function resolveRelative(from: string, specifier: string): string {
  return new URL(specifier, `file:///${from}`).pathname.slice(1);
}

if (import.meta.main) reportProblems(checkImports(process.cwd()), 'imports go the right way');
