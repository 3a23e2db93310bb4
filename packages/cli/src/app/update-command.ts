import { accesses } from '@fieldroster/contract';
import { consoleLimits } from '@fieldroster/contract/console-limits';
import { problemInEnglish } from '@fieldroster/contract/problems';
import {
  type ApplicationChanges,
  type ApplicationScope,
  allowedAddressProblem,
  type OpenDirectory,
  updateApplication,
} from '@fieldroster/server/admin';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { countBetween, durationParser, repeatable } from '../command-line/flag-values.ts';
import { addDirectoryOptions, type DirectoryFlags, withDirectory } from '../directory/with-directory.ts';
import { UsageError } from '../run-program.ts';
import { printApplication } from './show-command.ts';

const { allowedAddressesMax, rateLimitMax } = consoleLimits;

export function addUpdate(app: Command): void {
  const update = app
    .command('update')
    .description('Change an application; running servers follow within two seconds')
    .argument('<appid>', 'APPID of the application')
    .addOption(new Option('--scope <scope>', 'What it may do').choices(accesses))
    .option(
      '--rate-limit <number>',
      "Requests per second; 0 sets no limit, default returns to the server's --rate-limit",
      parseRateLimit,
    )
    .option(
      '--allow-ip <addresses>',
      'Addresses and networks that it may call from, separated by commas or in several flags; none allows all',
      repeatable(collectAddresses),
    )
    .addOption(new Option('--suspend', 'Refuse its calls until it is resumed').conflicts('resume'))
    .option('--resume', 'Let a suspended application call again')
    .option(
      '--expires-in <duration>',
      'Time from now until it expires: 30s, 15m, 24h, 90d; none removes the limit',
      parseExpiry,
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ fieldroster app update fr0123456789abcdef01 --scope read --allow-ip 10.0.0.0/8,192.0.2.7' +
        '\n  $ fieldroster app update fr0123456789abcdef01 --suspend',
    )
    .action(runUpdate);
  addDirectoryOptions(update);
}

interface UpdateFlags extends DirectoryFlags {
  readonly scope?: ApplicationScope;
  readonly rateLimit?: number | 'default';
  readonly allowIp?: readonly string[];
  readonly suspend?: true;
  readonly resume?: true;
  readonly expiresIn?: number | 'none';
}

async function runUpdate(appId: string, flags: UpdateFlags): Promise<void> {
  const { expiresIn } = flags;
  const changes = changesOf(flags);
  if (Object.keys(changes).length === 0 && expiresIn === undefined) {
    throw new UsageError(
      'nothing to change; give --scope, --rate-limit, --allow-ip, --suspend, --resume or --expires-in',
    );
  }
  const updated = await withDirectory(flags, async (directory) => {
    const expiry = expiresIn !== undefined && { expiresAtMs: await expiryIn(expiresIn, directory) };
    return updateApplication(directory, appId, { ...changes, ...expiry });
  });
  await printApplication(updated, flags.json === true);
}

function changesOf({ scope, rateLimit, allowIp, suspend, resume }: UpdateFlags): ApplicationChanges {
  return {
    ...(scope !== undefined && { scope }),
    ...(rateLimit !== undefined && { rateLimit: rateLimit === 'default' ? null : rateLimit }),
    ...(allowIp !== undefined && { allowedAddresses: requireAddresses(allowIp) }),
    ...(suspend === true && { status: 'suspended' as const }),
    ...(resume === true && { status: 'active' as const }),
  };
}

/** Returns the time when an application expires. Uses the database's clock: this machine's may differ from the servers'. */
async function expiryIn(expiresIn: number | 'none', { database }: OpenDirectory): Promise<number | null> {
  return expiresIn === 'none' ? null : (await database.claims.databaseTimeMs()) + expiresIn;
}

// Commander replaces a parsed null with an empty string.
function parseRateLimit(text: string): number | 'default' {
  return text === 'default' ? text : countBetween(0, rateLimitMax, 'default')(text);
}

function parseExpiry(text: string): number | 'none' {
  return text === 'none' ? text : durationParser('none')(text);
}

const noAddress = 'none';

function collectAddresses(text: string, before: readonly string[] = []): readonly string[] {
  const entries = text.split(',').map((entry) => entry.trim().toLowerCase());
  for (const entry of entries) {
    const problem = entry === noAddress ? undefined : allowedAddressProblem(entry);
    if (problem !== undefined)
      throw new InvalidArgumentError(
        `Note: ${problemInEnglish(problem)}; the word none allows every address.`,
      );
  }
  return [...new Set([...before, ...entries])];
}

function requireAddresses(entries: readonly string[]): readonly string[] {
  if (!entries.includes(noAddress)) {
    if (entries.length <= allowedAddressesMax) return entries;
    throw new UsageError(
      `--allow-ip has ${entries.length} entries; at most ${allowedAddressesMax} are accepted: name networks instead`,
    );
  }
  if (entries.length > 1) throw new UsageError('--allow-ip none clears the list, so give no address with it');
  return [];
}
