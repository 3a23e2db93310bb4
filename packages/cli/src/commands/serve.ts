import {
  isWorker,
  memoryWarnings,
  openServerLog,
  readSettings,
  requireFreePorts,
  serveAsWorker,
  settingDefinitions,
  startServer,
  superviseWorkers,
  writesJson,
} from '@fieldroster/server';
import { commandActor, holdsDatabase, settingWarnings } from '@fieldroster/server/admin';
import type { Command } from 'commander';
import { comesThroughPipe, configPath, readConfiguration } from '../config/config-file.ts';
import { readServerEnvironment } from '../config/server-environment.ts';
import {
  configOption,
  type SettingFlags,
  settingOption,
  settingTexts,
  textOf,
} from '../config/setting-option.ts';
import { warn } from '../output/print.ts';
import { packageVersion } from '../package-version.ts';
import { endOnSignal } from '../process/end-on-signal.ts';
import { describeFailure } from '../run-program.ts';
import { announceStart } from '../serve/announce-start.ts';
import { pathsReadOnce } from '../serve/command-environment.ts';
import { reportAsJson, reportCrashesAsJson } from '../serve/failure-lines.ts';
import { issueFirstApplication } from '../serve/first-start.ts';
import { loadSample } from '../serve/load-sample.ts';
import { programCommands } from '../serve/program-commands.ts';
import { reloadOnSignal, stopOnSignal } from '../serve/stop-on-signal.ts';

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
  // A mistake in the settings is for the person who made it: it is text unless JSON is asked for.
  let asJson = (textOf(flags.logFormat) ?? process.env.FIELDROSTER_LOG_FORMAT) === 'json';
  try {
    const given = readServerSettings(flags);
    asJson = useFormatOfErrors(given.settings);
    await serveUntilStopped(flags, given);
  } catch (error) {
    throw asJson ? reportAsJson(error) : error;
  }
}

/** Returns whether failures are lines of JSON. */
function useFormatOfErrors({ logFormat }: Settings): boolean {
  const asJson = writesJson(logFormat, process.stderr);
  if (asJson) reportCrashesAsJson();
  return asJson;
}

async function serveUntilStopped(
  flags: SettingFlags,
  { settings, environment, warnings, commands, text }: ServerSettings,
): Promise<void> {
  // Ends workers that have just been started, which would otherwise report that their supervisor is gone.
  if (settings.workers > 1) endOnSignal();
  const log = openServerLog(settings, environment, settings.workers > 1);
  for (const warning of [...warnings, ...settingWarnings(settings), ...memoryWarnings(settings)]) {
    if (writesJson(settings.logFormat, process.stdout)) log.logger.warn({}, warning);
    else warn(warning);
  }
  const place = { ...settings, environment, actor: commandActor(environment) };
  if (!holdsDatabase(place)) await requireFreePorts(settings);
  const content = flags.sample === true ? await loadSample(place) : undefined;
  const readOnce = comesThroughPipe(textOf(flags.config), environment);
  const server = await (settings.workers > 1
    ? superviseWorkers(settings, log.logger, {
        configuration: { text, reread: () => (readOnce ? text : readServerSettings(flags).text) },
      })
    : startServer(settings, environment, { commands, log, release: packageVersion() }));
  const stop = stopOnSignal(server);
  try {
    if ('allServing' in server) await server.allServing;
    reloadOnSignal(server, log, stop);
    if (!stop.isAsked) {
      // Issued last, so that a failed start, for example on a taken port, does not issue a secret that nobody sees.
      const first = content && { ...(await issueFirstApplication(place)), content };
      await announceStart({ server, first, settings, place, flags, log });
    }
  } catch (error) {
    // A server that has reported a failed start must not serve on.
    await server.stop().catch(() => {});
    throw error;
  }
  await stop.done;
  await log.end();
}

/**
 * Serves as one of several workers. The supervisor runs the same command line, does everything else, and passes on the
 * text of the configuration file. The settings are read within the start, so that the supervisor learns of an error in
 * them.
 */
function runWorker(flags: SettingFlags): Promise<void> {
  let asJson = false;
  const start: Parameters<typeof serveAsWorker>[0] = async (address, options, text) => {
    const { settings, environment, commands } = readServerSettings(flags, { text });
    asJson = useFormatOfErrors(settings);
    const release = packageVersion();
    return startServer({ ...settings, ...address }, environment, { ...options, commands, release });
  };
  return serveAsWorker(start, (error) => {
    if (asJson) reportAsJson(error);
    else warn(describeFailure(error).message);
  });
}

type ServerSettings = ReturnType<typeof readServerSettings>;

type Settings = ServerSettings['settings'];

/**
 * @param read what was read of the configuration file before; the file is read when left out
 * @throws {SettingError} when a setting is wrong, or settings contradict each other
 */
function readServerSettings(flags: SettingFlags, read?: { readonly text: string | undefined }) {
  const readOnce = pathsReadOnce(process.env, configPath(textOf(flags.config), process.env));
  const { environment, warnings } = readServerEnvironment(process.env);
  const file = readConfiguration(textOf(flags.config), environment, read);
  const settings = readSettings(settingTexts(flags), environment, file.settings);
  const path = configPath(textOf(flags.config), environment);
  const sources = {
    environment,
    readOnce,
    ...(path !== undefined && { file: { path, settings: file.settings } }),
  };
  return { text: file.text, settings, environment, warnings, commands: programCommands(settings, sources) };
}
