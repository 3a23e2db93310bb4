import { parseArgs } from 'node:util';

export interface Options {
  readonly users: number;
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
  --seconds N      length of a round (3)
  --only NAME      run this measurement; may be given more than once
  --full           also every operation on both engines, and a million and ten million users
  --peers          also the comparisons with nginx, where it is installed, and with Parse Server,
                   which npm installs into bench/peers
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
  seconds: { type: 'string', default: '3' },
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
  const { only, full, peers, compare, profile, load } = values;
  const seconds = positive('seconds', values.seconds);
  return {
    users: positive('users', values.users),
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
