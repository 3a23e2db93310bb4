import cluster from 'node:cluster';
import { resolve } from 'node:path';
import { openDirectory } from './admin/open-directory.ts';
import { createApp, type StopOptions } from './app.ts';
import { KeyUpkeep } from './applications/key-upkeep.ts';
import type { Settings } from './config.ts';
import type { PrimaryHistory } from './database/postgres/primary-history.ts';
import { type LineFormat, openLogOutput } from './log-output.ts';
import { Logger } from './logger.ts';
import { readableLogLine } from './readable-log-line.ts';

export type { StopOptions };

export interface RunningServer {
  /** URL on which it listens, including the base path. */
  readonly url: string;
  /** Keeps serving for the time of `--drain`, finishes the requests in flight, and closes the database. */
  stop(options?: StopOptions): Promise<void>;
}

/** A server in this process. */
export interface ServingProcess extends RunningServer {
  /** Reads the files of the master keys again. They are also read when they change. */
  rereadKeys(): Promise<void>;
}

/** The server cannot listen on its address; the message is one line for the operator. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

export interface ServerOptions {
  /** What the other workers know about the database's primary; left out for a single process. */
  readonly primaryHistory?: PrimaryHistory;
}

/** Opens the database, starts to listen, and logs to standard output. */
export async function startServer(
  settings: Settings,
  environment: NodeJS.ProcessEnv,
  { primaryHistory }: ServerOptions = {},
): Promise<ServingProcess> {
  const output = openLogOutput(cluster.isWorker, lineFormat(settings.logFormat, environment));
  const logger = new Logger(settings.logLevel, (line) => output.write(line));
  const notice = (fields: object, message: string) => logger.warn(fields, message);
  const options = { environment, notice, ...(primaryHistory && { primaryHistory }) };
  const { database, vault } = await openDirectory({ ...settings, ...options });
  const folder = resolve(settings.data);
  const keys = new KeyUpkeep({ keys: database.keys, vault, folder, environment, log: logger });
  try {
    // Before the secrets are opened, so that a rotation cannot leave this process out.
    await keys.start();
    const app = await createApp({ settings, database, vault, logger, now: Date.now });
    const address = await listen(app.listener, settings).catch(async (error) => {
      await app.stop();
      throw error;
    });
    const url = address + settings.basePath;
    logger.info({ url, replay: settings.replay, http_status: settings.httpStatus }, 'listening');
    const stop = async (options?: StopOptions) => {
      await app.stop(options);
      await keys.stop();
      await database.close();
      logger.info({}, 'stopped');
      await output.end();
    };
    return { url, stop, rereadKeys: () => keys.reread() };
  } catch (error) {
    await keys.stop();
    await database.close();
    throw error;
  }
}

/** Returns the format of log lines, or `undefined` for JSON, which is what the logger makes. */
function lineFormat(format: Settings['logFormat'], environment: NodeJS.ProcessEnv): LineFormat | undefined {
  const { stdout } = process;
  if (format === 'json' || (format === 'auto' && !stdout.isTTY)) return undefined;
  const colour = stdout.isTTY && stdout.hasColors(environment);
  return (line) => readableLogLine(line, colour);
}

/**
 * Maximum number of connections waiting to be accepted. A proxy for thousands of clients opens as many at once; beyond
 * this number it waits a second or more for each.
 */
const backlog = 4096;

type Listener = Awaited<ReturnType<typeof createApp>>['listener'];

async function listen(listener: Listener, { host, port }: Settings): Promise<string> {
  try {
    return await listener.listen({ host, port, backlog });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      EADDRINUSE:
        'another program listens there already; choose another port with --port or FIELDROSTER_PORT',
      EACCES: 'this user may not listen there; choose another port with --port or FIELDROSTER_PORT',
      EADDRNOTAVAIL: 'this machine has no such address; choose another with --host or FIELDROSTER_HOST',
    };
    throw new ListenError(`cannot listen on ${host}:${port}: ${reasons[code ?? ''] ?? message}`, {
      cause: error,
    });
  }
}
