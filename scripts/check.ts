import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { checkAudit, NotRun } from './checks/check-audit.ts';
import { checkDocumentPaths } from './checks/check-document-paths.ts';
import { checkExports } from './checks/check-exports.ts';
import { checkGeneratedDocs } from './checks/check-generated-docs.ts';
import { checkHouseRules } from './checks/check-house-rules.ts';
import { checkLockFile } from './checks/check-lock-file.ts';
import { checkSite } from './checks/check-site.ts';
import { checkImports } from './checks/imports/check-imports.ts';

interface Step {
  readonly name: string;
  /** Returns one message for each problem. */
  readonly run: (root: string) => readonly string[] | NotRun;
  readonly cure: string;
}

const steps: readonly Step[] = [
  {
    name: 'format and lint',
    run: command('biome', 'check', '--error-on-warnings', '--colors=off', '.'),
    cure: 'npm run format repairs what a machine can',
  },
  { name: 'types', run: command('tsc', '-p', 'tsconfig.json'), cure: 'make the types agree' },
  {
    name: 'types of the reference page',
    run: command('tsc', '-p', 'packages/server/src/http/reference/page/tsconfig.json'),
    cure: 'make the types agree; this code runs in browsers',
  },
  {
    name: 'types of the console',
    run: command('tsc', '-p', 'packages/console/tsconfig.json'),
    cure: 'make the types agree; this code runs in browsers',
  },
  {
    name: 'import directions',
    run: checkImports,
    cure: 'ARCHITECTURE.md says where a thing goes, scripts/checks/imports/area-rules.ts what it may import',
  },
  {
    name: 'unused exports',
    run: checkExports,
    cure: 'remove what nobody uses, or the word export where only its own file does',
  },
  { name: 'generated docs', run: checkGeneratedDocs, cure: 'run npm run docs' },
  {
    name: 'OpenAPI document',
    run: command('redocly', 'lint', 'docs/openapi.json', '--format=stylish'),
    cure: 'correct scripts/docs/openapi-document.ts or the contract, then npm run docs; redocly.yaml has the rules',
  },
  {
    name: 'generated client',
    run: script('packages/client/scripts/generate.ts', '--check'),
    cure: 'run npm run docs',
  },
  {
    name: 'collections of the examples',
    run: script('scripts/collections/write-collections.ts', '--check'),
    cure: 'run npm run docs',
  },
  {
    name: 'paths, links and images in documents',
    run: checkDocumentPaths,
    cure: 'correct the path, or the link',
  },
  {
    name: 'links and images of the site',
    run: checkSite,
    cure: 'correct the link, or scripts/site/navigation.ts and scripts/site/site-pages.ts',
  },
  { name: 'house rules', run: checkHouseRules, cure: 'CONTRIBUTING.md gives the reasons' },
  {
    name: 'lock files',
    // The site has its own lock file, so that npm start does not install its generator.
    run: (root) => [
      ...checkLockFile(root),
      ...checkLockFile(join(root, 'site')).map((problem) => `site: ${problem}`),
    ],
    cure: 'run npm install; CONTRIBUTING.md says more',
  },
  {
    name: 'packages to publish',
    run: script('scripts/checks/check-packages.ts'),
    cure: 'correct package.json or tsconfig.build.json of the package',
  },
  {
    name: 'known vulnerabilities',
    run: checkAudit,
    cure: 'update the package, or the packages that depend on it; npm audit says more',
  },
];

/** Disables telemetry and update checks of our tools. */
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** Runs a tool of node_modules; if it fails, its output is the problem. */
function command(tool: string, ...args: readonly string[]): (root: string) => readonly string[] {
  return (root) => {
    const { status, stdout, stderr, error } = spawnSync(`node_modules/.bin/${tool}`, args, {
      cwd: root,
      encoding: 'utf8',
      shell: process.platform === 'win32',
      env: { ...process.env, ...quiet },
    });
    if (error !== undefined) return [`${tool} could not be started: ${error.message}`];
    return status === 0 ? [] : [`${stdout}${stderr}`.trim()];
  };
}

/** Runs one of our programs, which reports its own problems. */
function script(path: string, ...args: readonly string[]): Step['run'] {
  return command('node', '--conditions=fieldroster-source', path, ...args);
}

/** Runs a check. One that throws has not passed. */
function attempt(run: Step['run'], root: string): ReturnType<Step['run']> {
  try {
    return run(root);
  } catch (error) {
    return [String(error)];
  }
}

/** Runs one step, prints the result, and returns whether it did not fail. */
function runStep({ name, run, cure }: Step, root: string): boolean {
  const started = performance.now();
  const problems = attempt(run, root);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (problems instanceof NotRun) {
    console.log(`NOT RUN ${name} (${seconds} s): ${problems.reason}`);
    return true;
  }
  console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'}  ${name} (${seconds} s)`);
  for (const problem of problems) console.log(problem.replace(/^/gm, '        '));
  if (problems.length > 0) console.log(`        What to do: ${cure}`);
  return problems.length === 0;
}

const failed = steps.filter((step) => !runStep(step, process.cwd()));
if (failed.length > 0) {
  console.log(
    `\n${failed.length} of ${steps.length} checks failed: ${failed.map(({ name }) => name).join(', ')}`,
  );
  process.exitCode = 1;
}
