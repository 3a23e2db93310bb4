import { type ApplicationRecord, requireApplication } from '@fieldroster/server/admin';
import type { Command } from 'commander';
import {
  addDirectoryOptions,
  type DirectoryFlags,
  withDirectoryToRead,
} from '../directory/with-directory.ts';
import { isoTime, isoTimeOrNull } from '../output/iso-time.ts';
import { print, printable } from '../output/print.ts';
import { applicationListing, describeRate, isPast, lastUsed, statusOf } from './application-listing.ts';

export function addShow(app: Command): void {
  const show = app
    .command('show')
    .description('Show an application, whether it may call, and its limits; secrets are never shown')
    .argument('<appid>', 'APPID of the application')
    .addHelpText('after', '\nExample:\n  $ fieldroster app show fr0123456789abcdef01')
    .action(async (appId: string, flags: DirectoryFlags) => {
      const application = await withDirectoryToRead(flags, (directory) =>
        requireApplication(directory, appId),
      );
      await printApplication(application, flags.json === true);
    });
  addDirectoryOptions(show);
}

export async function printApplication(application: ApplicationRecord, json: boolean): Promise<void> {
  await print(json ? `${applicationListing.json(application)}\n` : toText(application));
}

function toText(application: ApplicationRecord): string {
  const { appId, name, tenantName, scope, createdAtMs, rateLimit, allowedAddresses, expiresAtMs } =
    application;
  const lines = {
    APPID: appId,
    name,
    tenant: tenantName,
    scope,
    status: statusOf(application),
    created: isoTime(createdAtMs),
    'last used': lastUsed(application) ?? 'never',
    'rate limit': rateLimit === undefined ? "the server's --rate-limit" : describeRate(rateLimit),
    'may call from': allowedAddresses.join(', ') || 'anywhere',
    [isPast(expiresAtMs) ? 'expired' : 'expires']: isoTimeOrNull(expiresAtMs) ?? 'never',
    secrets: application.secrets.map(describeSecret).join('; ') || 'none',
  };
  const width = Math.max(...Object.keys(lines).map(({ length }) => length)) + 2;
  return Object.entries(lines)
    .map(([label, value]) => `${label.padEnd(width)}${printable(String(value))}\n`)
    .join('');
}

function describeSecret({ createdAtMs, expiresAtMs }: ApplicationRecord['secrets'][number]): string {
  if (expiresAtMs === undefined) return `of ${isoTime(createdAtMs)}`;
  const end = `${isPast(expiresAtMs) ? 'expired' : 'valid until'} ${isoTime(expiresAtMs)}`;
  return `of ${isoTime(createdAtMs)}, ${end}`;
}
