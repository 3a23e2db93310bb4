import {
  isWorker,
  type RunningServer,
  readSettings,
  type Settings,
  serveAsWorker,
  settingDefinitions,
  startServer,
  superviseWorkers,
} from '@fieldroster/server';
import { commandActor, type OpenDirectoryOptions } from '@fieldroster/server/admin';
import type { Command } from 'commander';
import { fileSettings } from '../config/config-file.ts';
import { consoleLink } from '../console-link.ts';
import { print, warn } from '../print.ts';
import { firstCall } from '../serve/first-call.ts';
import { type FirstApplication, inviteFirstOwner, issueFirstApplication } from '../serve/first-start.ts';
import { loadSample, type SampleContent } from '../serve/load-sample.ts';
import { programCommands } from '../serve/program-commands.ts';
import { readServerEnvironment } from '../serve/server-environment.ts';
import { stopOnSignal } from '../serve/stop-on-signal.ts';
import { configOption, type SettingFlags, settingOption, settingTexts, textOf } from '../setting-option.ts';

export function completeServe(serve: Command): void {
  for (const definition of settingDefinitions) serve.addOption(settingOption(definition));
  serve
    .addOption(configOption())
    .option('--no-migrate', 'The same as --migrate no')
    .option('--sample', 'If no application exists yet, load the sample directory and issue an application')
    .option('--json', 'Print one line of JSON once the server listens')
    .addHelpText(
      'after',
      '\nExample:\n  $ fieldroster serve --data ./data --port 8080 --base-path /api/v1\n  $ fieldroster serve --sample',
    )
    .action(runServe);
}

async function runServe(flags: SettingFlags): Promise<void> {
  if (isWorker()) return runWorker(flags);
  const { settings, environment, warnings } = readServerSettings(flags);
  const commands = programCommands(settings);
  for (const warning of warnings) warn(warning);
  const place = { ...settings, environment, actor: commandActor(environment) };
  const content = flags.sample === true ? await loadSample(place) : undefined;
  const server = await (settings.workers > 1
    ? superviseWorkers(settings, warn)
    : startServer(settings, environment, { commands }));
  const stopped = stopOnSignal(server);
  // Issued last, so that a failed start, for example on a taken port, does not issue a secret that nobody sees.
  const first = content && { ...(await issueFirstApplication(place)), content };
  const console = settings.console ? await consoleNotice(server, settings, place, flags) : '';
  await print(flags.json === true ? toJson(server, first) : toText(server, first, console));
  await stopped;
}

/**
 * Runs the same command line as the process that started it, which does the rest. The settings are read within the
 * start, so that the other process learns of an error in a file that has changed since.
 */
function runWorker(flags: SettingFlags): Promise<void> {
  return serveAsWorker(async (address, options) => {
    const { settings, environment } = readServerSettings(flags);
    return startServer({ ...settings, ...address }, environment, {
      ...options,
      commands: programCommands(settings),
    });
  });
}

function readServerSettings(flags: SettingFlags) {
  const { environment, warnings } = readServerEnvironment(process.env);
  const file = fileSettings(textOf(flags.config), environment);
  return { settings: readSettings(settingTexts(flags), environment, file), environment, warnings };
}

function toJson({ url }: RunningServer, first: FirstApplication | undefined): string {
  const issued = first && { app_id: first.appId, app_secret: first.appSecret };
  return `${JSON.stringify({ url, ...issued })}\n`;
}

/**
 * Says how to open the console. The link that creates the owner is a secret, so it is printed only where a person reads
 * it, and never into a log.
 */
async function consoleNotice(
  { consoleUrl = '' }: RunningServer,
  { publicUrl }: Settings,
  place: OpenDirectoryOptions,
  flags: SettingFlags,
): Promise<string> {
  const address = publicUrl === '' ? consoleUrl : `${publicUrl}/console`;
  if (flags.json === true) return '';
  if (!isRead(flags, place.environment)) {
    return `The console is at ${address}; for a link that makes its first owner, run: ${inviteCommand(address, flags)}\n`;
  }
  const token = await inviteFirstOwner(place);
  if (token === undefined) return `The console is at ${address}\n`;
  return `Open the console, where you make the owner's account (this link works once, for an hour):

  ${consoleLink(address, token)}

`;
}

/**
 * Returns the command that prints a link for the first owner. It knows the server's variables and its file, but not its
 * flags. A database URL may contain a password, so only a word stands for it.
 */
function inviteCommand(address: string, { data, config, database }: SettingFlags): string {
  const flags = {
    data: textOf(data),
    config: textOf(config),
    database: textOf(database) && 'URL',
    'console-url': address,
  };
  const given = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${quoteForShell(value)}`],
  );
  return ['fieldroster operator invite --role owner', ...given].join(' ');
}

/** Quotes a word for a POSIX shell, unless it needs no quotes. */
function quoteForShell(word: string): string {
  return /^[\w./:[\]-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Whether a person reads the output: it is a terminal, or the server is the checkout's `npm start`. */
function isRead({ sample }: SettingFlags, environment: NodeJS.ProcessEnv = {}): boolean {
  return process.stdout.isTTY === true || (sample === true && environment.npm_lifecycle_event === 'start');
}

interface FirstStart extends FirstApplication {
  readonly content: SampleContent;
}

function toText({ url }: RunningServer, first: FirstStart | undefined, console: string): string {
  const listening = `${console}Fieldroster listens on ${url}\n`;
  if (first === undefined) return listening;
  const { roles, organizations, stores, users } = first.content;
  return `${listening}
The sample directory, in the tenant default, has:
  roles          ${roles}
  organizations  ${organizations}
  stores         ${stores}
  users          ${users}

A first application, which may read and write users, was issued:
  APPID      ${first.appId}
  APPSECRET  ${first.appSecret}
Keep the secret now: it cannot be read again.

Create a user with a signed request; paste this into bash:

${firstCall(url, first)}

`;
}
