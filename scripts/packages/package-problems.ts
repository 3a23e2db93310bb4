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
    ...(pkg.exports === undefined ? [] : await typeProblems(bytes, isForClients(pkg))),
  ];
  return problems.map((problem) => `${basename(archive)}: ${problem}`);
}

/** Programs of customers import a package with `main`. The others run on the pinned Node.js only. */
function isForClients({ main }: { main?: string }): boolean {
  return main !== undefined;
}

async function typeProblems(bytes: Uint8Array, forClients: boolean): Promise<string[]> {
  const result = await checkPackage(createPackageFromTarballData(bytes));
  if (result.types === false) return ['has no types'];
  return result.problems.filter((problem) => isUnexpected(problem, forClients)).map(describe);
}

/** Decision 017 explains why CommonJS programs load ECMAScript modules. */
function isUnexpected(problem: Problem, forClients: boolean): boolean {
  if (problem.kind === 'CJSResolvesToESM') return false;
  return forClients || !('resolutionKind' in problem && problem.resolutionKind === 'node10');
}

function describe({ kind, ...where }: Problem): string {
  return `${kind} ${JSON.stringify(where)}`;
}
