import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findFaketime } from '../e2e/faults/fake-clock.ts';
import { findPostgresFolder } from '../e2e/faults/patroni-programs.ts';
import { findChromium } from '../e2e/find-chromium.ts';
import { fullScale } from './testing/full-scale.ts';

/** A program that some test needs and npm does not install. */
interface Tool {
  readonly command: string;
  /** Its package in Debian and derived distributions. */
  readonly debianPackage: string;
  /** A package to install instead where the distribution has it. */
  readonly lighterPackage?: string;
  readonly neededFor: string;
  /** Test files or folders that cannot run without it. */
  readonly neededBy?: readonly string[];
  /** Finds a program that has several names or locations. */
  readonly find?: () => string | undefined;
  /** If it is missing, the tests that need it report that they were skipped. */
  readonly optional?: boolean;
  /** `full` if only tests at full size need it. */
  readonly neededAt?: 'full';
}

const tools: readonly Tool[] = [
  {
    command: 'python3',
    debianPackage: 'python3',
    neededFor: 'deriving the signing vectors independently',
    neededBy: ['packages/signing/src/vectors.test.ts', 'e2e/clients/clients.test.ts'],
  },
  {
    command: 'openssl',
    debianPackage: 'openssl',
    neededFor: 'the example of the README',
    neededBy: ['e2e/clients/shell-signer.test.ts', 'scripts/documents/readme-example.test.ts'],
  },
  {
    command: 'curl',
    debianPackage: 'curl',
    neededFor: 'the example of the README',
    neededBy: ['e2e/clients/shell-signer.test.ts', 'scripts/documents/readme-example.test.ts'],
  },
  {
    command: 'bash',
    debianPackage: 'bash',
    neededFor: 'the example of the README',
    neededBy: [
      'e2e/clients/shell-signer.test.ts',
      'scripts/documents/readme-example.test.ts',
      'packages/cli/src/commands/serve.test.ts',
    ],
  },
  {
    command: 'chromium (or Chrome, or what CHROMIUM_PATH names)',
    debianPackage: 'chromium',
    lighterPackage: 'chromium-headless-shell',
    neededFor: 'the tests of the reference at /docs',
    neededBy: ['e2e/reference.test.ts'],
    find: findChromium,
  },
  {
    command: 'libfaketime',
    debianPackage: 'faketime',
    neededFor: 'the tests of clocks that are wrong',
    find: findFaketime,
    optional: true,
  },
  {
    command: 'promtool',
    debianPackage: 'prometheus',
    neededFor: 'the tests of metrics and alert rules with Prometheus',
    optional: true,
  },
  {
    command: 'wrk',
    debianPackage: 'wrk',
    neededFor: "the test of the benchmark's load",
    optional: true,
  },
  {
    command: 'strace',
    debianPackage: 'strace',
    neededFor: 'the test that the systemd units allow what the server and the backup do',
    optional: true,
  },
  {
    command: 'patroni',
    debianPackage: 'patroni',
    neededFor: 'the tests of failovers with Patroni',
    optional: true,
    neededAt: 'full',
  },
  {
    command: 'etcd',
    debianPackage: 'etcd-server',
    neededFor: 'the tests of failovers with Patroni',
    optional: true,
    neededAt: 'full',
  },
  {
    command: "PostgreSQL's programs",
    debianPackage: 'postgresql',
    neededFor: 'the tests of failovers with Patroni',
    find: findPostgresFolder,
    optional: true,
    neededAt: 'full',
  },
];

/** `no` installs nothing and runs the tests without the missing programs. */
const installVariable = 'FIELDROSTER_INSTALL_TOOLS';

/** Missing programs and their effect on a test run. */
export interface MissingTools {
  /** Programs to install first, one line each. */
  readonly problems: readonly string[];
  /** Test files that do not run. */
  readonly leftOut: readonly string[];
}

/**
 * Ensures that the programs needed by tests exist. Installs missing ones where nobody can be asked: in CI, in a
 * container, or for root without a terminal. With `FIELDROSTER_INSTALL_TOOLS=no`, installs nothing and lists
 * the tests that are left out.
 */
export function ensureTools(environment: NodeJS.ProcessEnv = process.env): MissingTools {
  const missing = tools.filter((tool) => (fullScale || tool.neededAt !== 'full') && isMissing(tool));
  if (environment[installVariable] === 'no') return leaveOut(missing);
  if (missing.length > 0 && nobodyCanBeAsked(environment)) installWithApt(missing);
  const problems = missing.filter((tool) => !tool.optional && isMissing(tool)).map(describe);
  return { problems, leftOut: [] };
}

function leaveOut(missing: readonly Tool[]): MissingTools {
  for (const { command, neededFor, neededBy = [] } of missing)
    console.error(`NOT TESTED: ${[neededFor, ...neededBy].join(', ')}, because ${command} is missing`);
  return { problems: [], leftOut: missing.flatMap(({ neededBy = [] }) => neededBy) };
}

function nobodyCanBeAsked({ CI }: NodeJS.ProcessEnv): boolean {
  const isContainer = existsSync('/.dockerenv') || existsSync('/run/.containerenv');
  return Boolean(CI) || isContainer || !process.stdin.isTTY;
}

function isMissing({ command, find }: Tool): boolean {
  return find === undefined ? !isInstalled(command) : find() === undefined;
}

function isInstalled(command: string): boolean {
  return spawnSync(command, ['-h'], { stdio: 'ignore' }).error === undefined;
}

function installWithApt(missing: readonly Tool[]): void {
  if (process.getuid?.() !== 0 || !isInstalled('apt-get')) return;
  const names = missing.map(({ debianPackage }) => debianPackage);
  console.error(
    `the tests need ${names.join(', ')}: installing with apt-get; ${installVariable}=no leaves that out`,
  );
  const stdio = ['ignore', 2, 2] as const;
  spawnSync('apt-get', ['update', '-q'], { stdio: [...stdio] });
  const packages = missing.map(packageToInstall);
  spawnSync('apt-get', ['install', '-q', '-y', '--no-install-recommends', ...packages], {
    stdio: [...stdio],
  });
}

function packageToInstall({ debianPackage, lighterPackage }: Tool): string {
  if (lighterPackage === undefined) return debianPackage;
  const { status } = spawnSync('apt-cache', ['show', lighterPackage], { stdio: 'ignore' });
  return status === 0 ? lighterPackage : debianPackage;
}

function describe({ command, debianPackage, neededFor }: Tool): string {
  return `${command} is needed for ${neededFor}; on Debian: sudo apt-get install ${debianPackage}`;
}
