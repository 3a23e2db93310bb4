import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isTestFile, listFiles } from '../list-files.ts';
import { reportProblems } from './report-problems.ts';

const linesMax = 300;

/** A text that some files must not contain, and what to do instead. */
interface ForbiddenText {
  readonly pattern: RegExp;
  readonly problem: string;
  readonly files: RegExp;
}

const code = /\.(ts|tsx|js|mjs)$/;

const everything = /(?<!package-lock\.json|LICENSE|THIRD-PARTY-NOTICES)$/;

const forbidden: readonly ForbiddenText[] = [
  {
    files: code,
    pattern: /^(?!\s*(\*|\/\/|\/\*)).*(?:[:<,|(]|\bas)\s*any\b\s*(?:[;,)>|[\]={]|$)/,
    problem: 'has the type any; say what it is, or unknown',
  },
  {
    files: code,
    pattern: /@ts-(ignore|expect-error|nocheck)|biome-ignore/,
    problem: 'silences a tool; repair what it complains about',
  },
  { files: code, pattern: /\b(TODO|FIXME|XXX)\b/, problem: 'leaves work for later; do it or open an issue' },
  {
    files: /\.test\.ts$|^e2e\/.*\.ts$/,
    pattern:
      /\b(test|it|describe|suite|t|context)\.(skip|todo|only)\b|([{,]|^)\s*(skip|todo|only)\s*(:|[,}])/,
    problem: 'does not run every test; run it or delete it',
  },
  {
    files: /^packages\/server\/src\/database\/(?!conformance\/).*(?<!\.test)\.ts$/,
    pattern: /\.selectAll\(\)/,
    problem: 'selects every column, which fails once a later release has added one; list the columns',
  },
  {
    files: everything,
    pattern: /(?<![\w.:/@-])\/(home|Users|root|work|mnt|private)\/\w|\b[A-Z]:\\\\?Users\b/,
    problem: 'names a path of one machine',
  },
  { files: everything, pattern: /\.\.\/shared\//, problem: 'names a folder that is not part of the project' },
];

/** Reports violations of the CONTRIBUTING.md rules that no other tool checks. */
export function checkHouseRules(root: string): string[] {
  return listFiles(root).flatMap((path) => {
    const lines = readFileSync(join(root, path), 'utf8').split('\n');
    return [...checkName(path), ...checkData(path), ...checkSize(path, lines), ...checkText(path, lines)];
  });
}

/** Files of a server that was started in the checkout. */
const serverData = /(?:^|\/)master\.key$|\.db(?:-\w+)?$/;

function checkData(path: string): string[] {
  return serverData.test(path)
    ? [`${path}: is a key or the data of a server; remove it, from the history too if it is committed`]
    : [];
}

const saysNothing = /^(utils?|helpers?|common|shared|misc)$/i;

function checkName(path: string): string[] {
  const vague = path.split('/').find((part) => saysNothing.test(part.split('.')[0] ?? ''));
  return vague === undefined
    ? []
    : [`${path}: '${vague}' does not say what it holds; name it after its export`];
}

function checkSize(path: string, { length }: readonly string[]): string[] {
  const lines = length - 1;
  if (!code.test(path) || isTestFile(path) || lines <= linesMax) return [];
  return [`${path}: has ${lines} lines; split it, at most ${linesMax} are allowed`];
}

/** This file and its test must spell out the forbidden texts. */
const spelledOutIn = /^check-house-rules\b/;

function checkText(path: string, lines: readonly string[]): string[] {
  if (spelledOutIn.test(basename(path))) return [];
  const rules = forbidden.filter(({ files }) => files.test(path));
  return lines.flatMap((line, index) =>
    rules
      .filter(({ pattern }) => pattern.test(line))
      .map(({ problem }) => `${path}:${index + 1}: ${problem}`),
  );
}

if (import.meta.main) reportProblems(checkHouseRules(process.cwd()), 'the house rules are kept');
