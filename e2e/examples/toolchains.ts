import { spawnSync } from 'node:child_process';
import { type TestContext, test } from 'node:test';

/** The programs that a language's example needs. */
export interface Toolchain {
  readonly language: string;
  /** Commands with arguments. Each exits with 0 where it is installed. */
  readonly commands: readonly (readonly [command: string, ...arguments_: string[]])[];
  /** The Debian packages that contain the commands. */
  readonly packages: string;
  /** Whether the tests fail without it. */
  readonly required: boolean;
}

/** The toolchains that run the examples. */
export const toolchains = {
  python: toolchain('Python', [['python3', '--version']], 'python3', true),
  bash: toolchain(
    'bash',
    [
      ['bash', '--version'],
      ['openssl', 'version'],
      ['curl', '--version'],
      ['iconv', '--version'],
    ],
    'bash openssl curl libc-bin',
    true,
  ),
  java: toolchain(
    'Java',
    [
      ['javac', '--version'],
      ['java', '--version'],
    ],
    'openjdk-17-jdk-headless',
  ),
  go: toolchain('Go', [['go', 'version']], 'golang-go'),
  php: toolchain('PHP', [['php', '--version']], 'php-cli'),
  ruby: toolchain('Ruby', [['ruby', '--version']], 'ruby'),
  csharp: toolchain(
    'C# (Mono)',
    [
      ['mcs', '--version'],
      ['mono', '--version'],
    ],
    'mono-mcs mono-devel',
  ),
} as const;

const switchName = 'FIELDROSTER_REQUIRE_TOOLCHAINS';

/**
 * Says why a language's tests cannot run here; `undefined` when they can. `fails` is true when the toolchain is
 * required, or when `FIELDROSTER_REQUIRE_TOOLCHAINS=all` requires every one.
 */
export function missingToolchain(
  { language, commands, packages, required }: Toolchain,
  environment: NodeJS.ProcessEnv = process.env,
): { readonly message: string; readonly fails: boolean } | undefined {
  const missing = commands.filter((command) => !answers(command)).map(([name]) => name);
  if (missing.length === 0) return undefined;
  const message = `${language}: ${missing.join(' and ')} not found (Debian: apt-get install ${packages})`;
  return { message, fails: required || requiresAll(environment) };
}

/** Returns whether the machine has the toolchain. If not, registers a test that fails or says what is not tested. */
export function toolchainIsHere(wanted: Toolchain): boolean {
  const missing = missingToolchain(wanted);
  if (missing === undefined) return true;
  test(`${wanted.language} is installed`, (context) => {
    if (missing.fails) throw new Error(missing.message);
    leaveUntested(context, missing.message);
  });
  return false;
}

/**
 * Says in a test what it cannot test here, because a program or a package is missing.
 *
 * @throws {Error} with the reason when `FIELDROSTER_REQUIRE_TOOLCHAINS=all`
 */
export function leaveUntested(context: TestContext, reason: string): void {
  if (requiresAll(process.env)) throw new Error(reason);
  context.diagnostic(`NOT TESTED: ${reason}; ${switchName}=all makes this a failure`);
}

function requiresAll(environment: NodeJS.ProcessEnv): boolean {
  const value = environment[switchName] ?? '';
  if (value !== '' && value !== 'all')
    throw new Error(`${switchName} is "${value}"; it must be "all" or unset`);
  return value === 'all';
}

function answers([command, ...arguments_]: readonly string[]): boolean {
  return spawnSync(command ?? '', arguments_, { stdio: 'ignore', timeout: 30_000 }).status === 0;
}

function toolchain(
  language: string,
  commands: Toolchain['commands'],
  packages: string,
  required = false,
): Toolchain {
  return { language, commands, packages, required };
}
