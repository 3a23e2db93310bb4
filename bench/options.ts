import { parseArgs } from 'node:util';

export interface Options {
  readonly users: number;
  /** Users of the large directories, which are compared with a small one. */
  readonly sizes: readonly number[];
  /** Where seeded directories outlive the run. */
  readonly directories: string | undefined;
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Names of the scenarios to run; all when empty. */
  readonly only: readonly string[];
  readonly full: boolean;
  /** Also what needs other people's servers. */
  readonly peers: boolean;
  readonly compare: string | undefined;
  readonly profile: boolean;
  readonly load: string | undefined;
}

export const usage = `npm run bench -- [options]

  --users N        users in the directory (100000)
  --rounds N       rounds of each contender (5)
  --seconds N      length of a round (2; with --full 10)
  --size N         users of a large directory (1000000; with --full also 10000000); may be given more than once
  --directories F  keep the seeded directories of the sizes in this folder, and use those that are there
  --only NAME      run this measurement; a name that ends in * stands for all that begin so; may be given again
  --full           also every operation on both engines, ten million users, and longer rounds
  --peers          also the comparisons with OpenLDAP and nginx, where they are installed, and with
                   Parse Server and Directus, which npm installs into bench/peers
  --compare REV    also measure that git revision, in the same rounds
  --profile        write a CPU profile of each measured server, in one more round
  --load NAME      wrk, or node: the generator in bench/load (wrk where it is installed)`;

/** An argument is not accepted; the message says what is. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

const definitions = {
  users: { type: 'string', default: '100000' },
  rounds: { type: 'string', default: '5' },
  seconds: { type: 'string' },
  size: { type: 'string', multiple: true },
  directories: { type: 'string' },
  only: { type: 'string', multiple: true, default: [] as string[] },
  full: { type: 'boolean', default: false },
  peers: { type: 'boolean', default: false },
  compare: { type: 'string' },
  profile: { type: 'boolean', default: false },
  load: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

/**
 * Returns nothing when the usage is asked for.
 *
 * @throws {OptionError} for an argument that is not accepted
 */
export function readOptions(args: string[]): Options | undefined {
  const values = parse(args);
  if (values.help) return undefined;
  const { only, full, peers, compare, profile, load, directories } = values;
  const seconds = positive('seconds', values.seconds ?? (full ? '10' : '2'));
  const sizes = values.size ?? (full ? ['1000000', '10000000'] : ['1000000']);
  return {
    users: positive('users', values.users),
    sizes: sizes.map((size) => positive('size', size)),
    directories,
    rounds: positive('rounds', values.rounds),
    seconds,
    warmUpSeconds: Math.min(3, seconds),
    only,
    full,
    peers,
    compare,
    profile,
    load,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: definitions }).values;
  } catch (error) {
    throw new OptionError((error as Error).message);
  }
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new OptionError(`--${name} must be a whole number from 1 on`);
  return value;
}
