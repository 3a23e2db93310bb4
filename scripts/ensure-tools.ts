import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findChromium } from '../e2e/browser.ts';
import { findFaketime } from '../e2e/faults/fake-clock.ts';

/** A program that some test needs and npm does not bring. */
interface Tool {
  readonly command: string;
  /** Name of its package in Debian and its relatives. */
  readonly debianPackage: string;
  readonly neededFor: string;
  /** Where it has more than one name or place. */
  readonly find?: () => string | undefined;
  /** Without it, the tests that want it say that they were left out. */
  readonly optional?: boolean;
}

const tools: readonly Tool[] = [
  { command: 'python3', debianPackage: 'python3', neededFor: 'deriving the signing vectors independently' },
  { command: 'openssl', debianPackage: 'openssl', neededFor: 'the example of the README' },
  { command: 'curl', debianPackage: 'curl', neededFor: 'the example of the README' },
  { command: 'bash', debianPackage: 'bash', neededFor: 'the example of the README' },
  {
    command: 'chromium (or Chrome, or what CHROMIUM_PATH names)',
    debianPackage: 'chromium',
    neededFor: 'the tests of the reference at /docs',
    find: findChromium,
  },
  {
    command: 'libfaketime',
    debianPackage: 'faketime',
    neededFor: 'the tests of clocks that are wrong',
    find: findFaketime,
    optional: true,
  },
];

/** Set to `no` to install nothing, and to run the tests without what is missing. */
export const installVariable = 'FIELDROSTER_INSTALL_TOOLS';

/**
 * Sees to the programs that tests need. Installs what is missing where nobody can be asked: in CI, in a container, or
 * for root without a terminal.
 *
 * @returns what is missing and needed, one line for each program; empty when the variable says to go on without
 */
export function ensureTools(environment: NodeJS.ProcessEnv = process.env): string[] {
  const missing = tools.filter(isMissing);
  if (missing.length === 0) return [];
  if (environment[installVariable] === 'no') {
    for (const tool of missing) console.error(`NOT TESTED: ${tool.neededFor}: ${nameOf(tool)} is missing`);
    return [];
  }
  if (nobodyCanBeAsked(environment)) installWithApt(missing);
  return missing.filter((tool) => !tool.optional && isMissing(tool)).map(describe);
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
  const packages = missing.map(({ debianPackage }) => debianPackage);
  console.error(
    `the tests need ${packages.join(', ')}: installing with apt-get; ${installVariable}=no leaves that out`,
  );
  const stdio = ['ignore', 2, 2] as const;
  spawnSync('apt-get', ['update', '-q'], { stdio: [...stdio] });
  spawnSync('apt-get', ['install', '-q', '-y', '--no-install-recommends', ...packages], {
    stdio: [...stdio],
  });
}

function nameOf({ command, debianPackage }: Tool): string {
  return `${command} (Debian: ${debianPackage})`;
}

function describe({ command, debianPackage, neededFor }: Tool): string {
  return `${command} is needed for ${neededFor}; on Debian: sudo apt-get install ${debianPackage}`;
}
