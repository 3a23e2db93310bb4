import {
  type Fetch,
  FieldrosterClient,
  FieldrosterError,
  type RetryOptions,
  TransportError,
} from '@fieldroster/client';
import { UsageError } from '../run-program.ts';
import { type CallFlags, type CallTarget, findCallTarget } from './credentials.ts';
import { describeRefusal } from './describe-refusal.ts';
import { serverFault } from './server-fault.ts';
import { splitUrl } from './split-url.ts';

/** How a command sends its calls, and how long it keeps trying. */
export interface Patience {
  /** Milliseconds that one attempt may take. */
  readonly timeoutMs: number;
  readonly retry: RetryOptions;
  /** Used instead of the `fetch` of the runtime. */
  readonly fetch?: Fetch;
}

/** The patience of commands whose answer a person waits for. */
const impatient: Patience = { timeoutMs: 30_000, retry: { attemptsMax: 4, budgetMs: 60_000 } };

/** Opens a client for the server named by the flags, the environment or the credentials file. */
export function openClient(target: CallTarget, patience: Patience = impatient): FieldrosterClient {
  splitUrl(target);
  const { url, appId, appSecret } = target;
  try {
    return new FieldrosterClient({ url, appId, appSecret, ...patience });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}

/** Calls the server. Turns a refusal or a failed connection into an error that names the code and the server. */
export async function withClient<T>(
  flags: CallFlags,
  work: (client: FieldrosterClient, target: CallTarget) => Promise<T>,
): Promise<T> {
  const target = findCallTarget(flags, process.env);
  try {
    return await work(openClient(target), target);
  } catch (error) {
    if (error instanceof FieldrosterError) throw new Error(describeRefusal(error, target), { cause: error });
    if (error instanceof TransportError) {
      throw new Error(serverFault(target.url, error), { cause: error });
    }
    throw error;
  }
}
