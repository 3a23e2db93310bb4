import { parseArgs } from 'node:util';

export type Options = NonNullable<ReturnType<typeof readOptions>>;

export const usage = `npm run bench -- [options]

  --users N        users in the directory (100000)
  --rounds N       rounds of each contender (5)
  --seconds N      length of a round (2; with --full 10)
  --size N         users of a large directory (1000000; with --full also 10000000); may be given more than once
  --only NAME      run the rows with this name, in which * matches any part; may be given more than once
  --full           also ten million users, more lists, and longer rounds
  --peers          also OpenLDAP, Parse Server and Directus, where they are installed
  --compare REV    also measure that git revision, in the same rounds`;

/** A refused argument. The message says what is accepted. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

const definitions = {
  users: { type: 'string', default: '100000' },
  rounds: { type: 'string', default: '5' },
  seconds: { type: 'string' },
  size: { type: 'string', multiple: true },
  only: { type: 'string', multiple: true, default: [] as string[] },
  full: { type: 'boolean', default: false },
  peers: { type: 'boolean', default: false },
  compare: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

/**
 * Reads the command line; undefined when it asks for the usage.
 *
 * @throws {OptionError} for a refused argument
 */
export function readOptions(args: string[]) {
  const { help, users, size, rounds, seconds: given, ...values } = parse(args);
  if (help) return undefined;
  const seconds = positive('seconds', given ?? (values.full ? '10' : '2'));
  const sizes = size ?? (values.full ? ['1000000', '10000000'] : ['1000000']);
  return {
    ...values,
    users: positive('users', users),
    /** Sizes of the large directories, which are compared with a small one. */
    sizes: sizes.map((each) => positive('size', each)),
    rounds: positive('rounds', rounds),
    seconds,
    warmUpSeconds: Math.min(3, seconds),
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
    throw new OptionError(`--${name} is ${text}; it must be a whole number of at least 1`);
  return value;
}
