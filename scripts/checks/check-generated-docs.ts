import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderDocs } from '../docs/render-docs.ts';
import { reportProblems } from './report-problems.ts';

/** Checks that the generated documents match the contract, the settings and the last benchmark. */
export function checkGeneratedDocs(root: string): string[] {
  return [...renderDocs(root)]
    .filter(
      ([path, text]) => !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text,
    )
    .map(
      ([path]) =>
        `${path}: is not in step with packages/contract, the settings of the server or bench/results/latest.json`,
    );
}

if (import.meta.main)
  reportProblems(checkGeneratedDocs(process.cwd()), 'the generated documents are in step');
