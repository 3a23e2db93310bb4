import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensurePackages } from '../packages/ensure-packages.ts';
import { packPackages } from '../packages/pack-packages.ts';
import { packageProblems } from '../packages/package-problems.ts';
import { reportProblems } from './report-problems.ts';

/** Builds and packs the published packages, and reports problems that their users would have. */
async function checkPackages(root: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-packages-'));
  try {
    await ensurePackages(root);
    const problems = await Promise.all(packPackages(root, folder).map(packageProblems));
    return problems.flat();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

reportProblems(await checkPackages(process.cwd()), 'the packages can be installed and imported');
