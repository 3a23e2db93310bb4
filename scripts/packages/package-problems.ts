import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** Returns the findings of publint and "are the types wrong" on a packed package. */
export async function packageProblems(archive: string): Promise<string[]> {
  const bytes = new Uint8Array(await readFile(archive));
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
  const problems = [
    ...messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code),
    // A package with only a command has nothing to import, and so no types.
    ...(pkg.exports === undefined ? [] : await typeProblems(bytes)),
  ];
  return problems.map((problem) => `${basename(archive)}: ${problem}`);
}

/** Resolutions that cannot load ECMAScript modules, the only format we publish. */
const notServed: readonly unknown[] = ['node10', 'node16-cjs'];

async function typeProblems(bytes: Uint8Array): Promise<string[]> {
  const result = await checkPackage(createPackageFromTarballData(bytes));
  if (result.types === false) return ['has no types'];
  return result.problems.filter(concernsModules).map(describe);
}

function concernsModules(problem: Problem): boolean {
  return !('resolutionKind' in problem && notServed.includes(problem.resolutionKind));
}

function describe({ kind, ...where }: Problem): string {
  return `${kind} ${JSON.stringify(where)}`;
}
