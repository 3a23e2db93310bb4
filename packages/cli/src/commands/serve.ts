import {
  isWorker,
  logLine,
  openServerLog,
  type RunningServer,
  readSettings,
  type ServerLog,
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
import { describeFailure, ReportedFailure } from '../run-program.ts';
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
  // The configuration file counts too once it has been read.
  let asJson = (textOf(flags.logFormat) ?? process.env.FIELDROSTER_LOG_FORMAT) === 'json';
  try {
    const given = readServerSettings(flags);
    asJson = given.settings.logFormat === 'json';
    await serveUntilStopped(flags, given);
  } catch (error) {
    throw asJson ? reportAsJson(error) : error;
  }
}

/** Writes the failure as a line like those of the log, and returns what is left to say: the exit code. */
function reportAsJson(error: unknown): ReportedFailure {
  const { message, exitCode } = describeFailure(error);
  process.stderr.write(logLine('error', {}, message));
  return new ReportedFailure(exitCode);
}

async function serveUntilStopped(
  flags: SettingFlags,
  { settings, environment, warnings }: ServerSettings,
): Promise<void> {
  const commands = programCommands(settings);
  const log = openServerLog(settings, environment, settings.workers > 1);
  for (const warning of warnings) {
    if (settings.logFormat === 'json') log.logger.warn({}, warning);
    else warn(warning);
  }
  const place = { ...settings, environment, actor: commandActor(environment) };
  const content = flags.sample === true ? await loadSample(place) : undefined;
  const server = await (settings.workers > 1
    ? superviseWorkers(settings, log.logger)
    : startServer(settings, environment, { commands, log }));
  const stopped = stopOnSignal(server, log);
  // Issued last, so that a failed start, for example on a taken port, does not issue a secret that nobody sees.
  const first = content && { ...(await issueFirstApplication(place)), content };
  await announceStart({ server, first, settings, place, flags, log });
  await stopped;
  await log.end();
}

interface Start {
  readonly server: RunningServer;
  readonly first: FirstStart | undefined;
  readonly settings: Settings;
  readonly place: OpenDirectoryOptions;
  readonly flags: SettingFlags;
  readonly log: ServerLog;
}

/** Says where the server listens: as JSON for scripts, as lines of the log for a log collector, or as text. */
async function announceStart({ server, first, settings, place, flags, log }: Start): Promise<void> {
  if (flags.json === true) {
    await print(toJson(server, first));
    return;
  }
  const console = settings.console ? await consoleNotice(server, settings, place, flags) : '';
  if (settings.logFormat === 'json') {
    if (console !== '') log.announce({}, console.trim());
    // A log keeps no secret, so the one of the first application is lost.
    if (first) log.announce({ app_id: first.appId }, firstInLog(first));
    log.announce({ url: server.url }, listensOn(server));
  } else {
    await print(toText(server, first, console));
  }
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

type ServerSettings = ReturnType<typeof readServerSettings>;

function readServerSettings(flags: SettingFlags) {
  const { environment, warnings } = readServerEnvironment(process.env);
  const file = fileSettings(textOf(flags.config), environment);
  return { settings: readSettings(settingTexts(flags), environment, file), environment, warnings };
}

/** Returns the server's URL and the first application's credentials, which are shown only once. */
function toJson({ url }: RunningServer, first: FirstApplication | undefined): string {
  return `${JSON.stringify({ url, ...(first && { app_id: first.appId, app_secret: first.appSecret }) })}\n`;
}

function firstInLog({ appId }: FirstApplication): string {
  return `The sample's first application is ${appId}; for a secret, run: fieldroster app rotate ${appId}`;
}

function listensOn({ url }: RunningServer): string {
  return `Fieldroster listens on ${url}`;
}

/**
 * Says how to open the console. The link that creates the owner is a secret, so it is printed only where a person reads
 * it, and never into a log.
 */
async function consoleNotice(
  { consoleUrl = '' }: RunningServer,
  { publicUrl, logFormat }: Settings,
  place: OpenDirectoryOptions,
  flags: SettingFlags,
): Promise<string> {
  const address = publicUrl === '' ? consoleUrl : `${publicUrl}/console`;
  if (logFormat === 'json' || !isRead(flags, place.environment)) {
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

function toText(server: RunningServer, first: FirstStart | undefined, console: string): string {
  const listening = `${console}${listensOn(server)}\n`;
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

${firstCall(server.url, first)}

`;
}
