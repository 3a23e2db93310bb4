import { accesses } from '@fieldroster/contract';
import {
  type ApplicationScope,
  appIdProblem,
  applicationNameProblem,
  appSecretProblem,
  defaultTenantName,
  issueApplication,
  requireTenant,
  revokeApplication,
  rotateSecret,
} from '@fieldroster/server/admin';
import { type Command, Option } from 'commander';
import { applicationListing } from '../app/application-listing.ts';
import { addShow } from '../app/show-command.ts';
import { addUpdate } from '../app/update-command.ts';
import { accept, parseDuration, parseName } from '../command-line/flag-values.ts';
import {
  addDirectoryOptions,
  type DirectoryFlags,
  withDirectory,
  withDirectoryToFill,
  withDirectoryToRead,
} from '../directory/with-directory.ts';
import { fileVariable, withSecretFiles } from '../files/secret-files.ts';
import { isoTime, isoTimeOrNull } from '../output/iso-time.ts';
import { print, printList, warn } from '../output/print.ts';
import { requireReadableOutput } from '../output/require-readable-output.ts';
import { UsageError } from '../run-program.ts';

const secretVariable = 'FIELDROSTER_APP_SECRET';

/** Shorter secrets can be brute-forced from one signed request. */
const shortSecretCharacters = 16;

export function completeApp(app: Command): void {
  app.addHelpText('after', '\nExample:\n  $ fieldroster app create --name "HR sync"');
  addCreate(app);
  addList(app);
  addShow(app);
  addUpdate(app);
  addRotate(app);
  addRevoke(app);
}

const acceptPlainName = accept(applicationNameProblem);
const parseApplicationName = (text: string) => acceptPlainName(parseName(text));

function addCreate(app: Command): void {
  const create = app
    .command('create')
    .description('Issue an APPID with an APPSECRET; the secret is shown only once')
    .requiredOption('--name <name>', 'Name of the application in lists', parseApplicationName)
    .option('--tenant <tenant>', 'Tenant whose data it sees', defaultTenantName)
    .option('--app-id <appid>', 'An APPID that clients already have', accept(appIdProblem))
    .option(
      '--app-secret <secret>',
      `APPSECRET for --app-id; safer in the environment (env ${secretVariable})`,
    )
    .option('--weak-secret', `Accept an APPSECRET of fewer than ${shortSecretCharacters} characters`)
    .addOption(new Option('--scope <scope>', 'What it may do').choices(accesses).default('write'))
    .addHelpText('after', '\nExample:\n  $ fieldroster app create --name "HR sync" --scope write --json')
    .action(createApplication);
  addDirectoryOptions(create);
}

interface CreateFlags extends DirectoryFlags {
  readonly name: string;
  readonly tenant: string;
  readonly appId?: string;
  readonly appSecret?: string;
  readonly weakSecret?: boolean;
  readonly scope: ApplicationScope;
}

async function createApplication(flags: CreateFlags): Promise<void> {
  const { name, tenant, scope, appId } = flags;
  const appSecret = givenSecret(flags);
  if (appSecret === undefined) requireReadableOutput('APPSECRET');
  const own = { ...(appId !== undefined && { appId }), ...(appSecret !== undefined && { appSecret }) };
  const issued = await withDirectoryToFill(flags, (directory) =>
    issueApplication(directory, { name, tenant, scope, ...own }),
  );
  if (flags.json) {
    const { appId: app_id, appSecret: app_secret } = issued;
    await printSecret(issued, `${JSON.stringify({ app_id, app_secret, name, tenant })}\n`);
    return;
  }
  await print(`issued '${name}' in tenant '${tenant}', scope ${scope}\n`);
  await printSecret(issued);
}

function givenSecret({ appId, appSecret, weakSecret = false }: CreateFlags): string | undefined {
  if (appId === undefined) {
    if (appSecret !== undefined) throw new UsageError('--app-secret needs an APPID; add --app-id');
    return undefined;
  }
  const secret = appSecret ?? (withSecretFiles(process.env, [secretVariable])[secretVariable] || undefined);
  if (secret === undefined) return undefined;
  const problem = appSecretProblem(secret);
  if (problem !== undefined) throw new UsageError(`${sourceOfSecret(appSecret)} is not accepted: ${problem}`);
  const { length } = [...secret];
  if (length < shortSecretCharacters) acceptWeakSecret(appId, length, weakSecret);
  return secret;
}

function sourceOfSecret(flag: string | undefined): string {
  if (flag !== undefined) return '--app-secret';
  if (process.env[secretVariable]) return secretVariable;
  const file = fileVariable(secretVariable);
  return `the content of ${process.env[file]}, which ${file} names,`;
}

function acceptWeakSecret(appId: string, length: number, weakSecret: boolean): void {
  const weakness = `the secret of ${appId} has ${length} characters; with fewer than ${shortSecretCharacters} it may be guessed`;
  if (!weakSecret) {
    throw new UsageError(`${weakness}: choose a longer one, or accept it with --weak-secret`);
  }
  warn(`${weakness}: rotate it soon`);
}

type IssuedSecret = Readonly<Record<'appId' | 'appSecret', string>>;

/**
 * @param flag makes a rotation replace the lost secret, and not that of the clients
 * @throws {Error} when the secret could not be printed, because nothing can show it again
 */
async function printSecret(issued: IssuedSecret, text = secretText(issued), flag = ''): Promise<void> {
  if (await print(text)) return;
  const { appId } = issued;
  throw new Error(
    `the new APPSECRET of ${appId} could not be printed; unless you chose it yourself, it is lost: issue another with: fieldroster app rotate ${appId}${flag}`,
  );
}

function secretText({ appId, appSecret }: IssuedSecret): string {
  return `APPID      ${appId}\nAPPSECRET  ${appSecret}\nKeep the secret now: it cannot be read again.\n`;
}

function addList(app: Command): void {
  const list = app
    .command('list')
    .description('List applications; secrets are never shown')
    .option('--tenant <tenant>', 'Only those of this tenant')
    .addHelpText('after', '\nExample:\n  $ fieldroster app list --tenant default --json')
    .action((flags: DirectoryFlags & { tenant?: string }) =>
      withDirectoryToRead(flags, async ({ database }) => {
        const tenant = flags.tenant === undefined ? undefined : await requireTenant(database, flags.tenant);
        const all = await database.applications.listApplications();
        const listed = tenant === undefined ? all : all.filter(({ tenantId }) => tenantId === tenant.id);
        await printList(listed, applicationListing, flags.json === true);
      }),
    );
  addDirectoryOptions(list);
}

function addRotate(app: Command): void {
  const rotate = app
    .command('rotate')
    .description('Give an application a new APPSECRET; the previous one stays valid for a while')
    .argument('<appid>', 'APPID of the application')
    .addOption(
      new Option(
        '--old-expires-in <duration>',
        'How long the previous secret stays valid: 0, 30s, 15m, 24h, 7d',
      )
        .argParser(parseDuration)
        .default(parseDuration('24h'), '24h'),
    )
    .option(
      '--replace-newest',
      'Replace the newest secret, which was lost before any client used it; the one before it keeps its end. Make sure that none has begun to use it: a use in the last 30 seconds may not be recorded yet',
    )
    .addHelpText('after', '\nExample:\n  $ fieldroster app rotate fr0123456789abcdef01 --old-expires-in 24h')
    .action(rotateApplication);
  addDirectoryOptions(rotate);
}

interface RotateFlags extends DirectoryFlags {
  readonly oldExpiresIn: number;
  readonly replaceNewest?: boolean;
}

type RotatedSecret = Awaited<ReturnType<typeof rotateSecret>>;
type EndedSecret = RotatedSecret['ended'][number];

async function rotateApplication(
  appId: string,
  { oldExpiresIn, replaceNewest = false, ...flags }: RotateFlags,
): Promise<void> {
  requireReadableOutput('APPSECRET');
  const rotated = await withDirectory(flags, (directory) =>
    rotateSecret(directory, appId, oldExpiresIn, { replaceNewest }),
  );
  if (flags.json) {
    const json = {
      app_id: appId,
      app_secret: rotated.appSecret,
      old_secret_expires_at: rotated.hadSecret ? isoTime(rotated.oldExpiresAtMs) : null,
      ended_secrets: rotated.ended.map(endedToJson),
    };
    await printSecret(rotated, `${JSON.stringify(json)}\n`, ' --replace-newest');
    return;
  }
  const isValid = rotated.replacedNewest || oldExpiresIn > 0;
  await print(
    `rotated; ${describeOld(rotated, isValid)}\n${rotated.ended.map((each) => describeEnded(each, rotated)).join('')}`,
  );
  await printSecret(rotated, secretText(rotated), ' --replace-newest');
}

function describeOld({ hadSecret, oldExpiresAtMs }: RotatedSecret, isValid: boolean): string {
  if (!hadSecret) return 'there was no previous secret';
  return `the previous secret ${isValid ? `is valid until ${isoTime(oldExpiresAtMs)}` : 'is not valid any more'}`;
}

function describeEnded(secret: EndedSecret, { replacedNewest }: RotatedSecret): string {
  const { created_at, last_used_at } = endedToJson(secret);
  // Servers record a first use up to half a minute later.
  const use =
    last_used_at === null
      ? 'no use is recorded; a use in the last 30 seconds may not be recorded yet'
      : `it was last used at ${last_used_at}`;
  const why = replacedNewest ? 'the new one replaces it' : 'an application has at most two';
  return `the secret of ${created_at} has ended, because ${why}; ${use}\n`;
}

function endedToJson({ createdAtMs, lastUsedAtMs }: EndedSecret) {
  return { created_at: isoTime(createdAtMs), last_used_at: isoTimeOrNull(lastUsedAtMs) };
}

function addRevoke(app: Command): void {
  const revoke = app
    .command('revoke')
    .description('Revoke an application permanently')
    .argument('<appid>', 'APPID of the application')
    .addHelpText('after', '\nExample:\n  $ fieldroster app revoke fr0123456789abcdef01')
    .action(async (appId: string, flags: DirectoryFlags) => {
      await withDirectory(flags, (directory) => revokeApplication(directory, appId));
      await print(
        flags.json ? `${JSON.stringify({ app_id: appId, status: 'revoked' })}\n` : `revoked ${appId}\n`,
      );
    });
  addDirectoryOptions(revoke);
}
