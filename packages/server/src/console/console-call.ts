import type { ConsoleOperation, DirectoryOperationKey } from '@fieldroster/contract/console';
import type { IncomingBody } from '../pipeline/call.ts';

/** A signed operation that an operator calls for a tenant. */
export interface DirectoryAction {
  readonly kind: 'directory';
  readonly key: DirectoryOperationKey;
}

/** One of the console's own operations. */
export interface OwnAction {
  readonly kind: 'own';
  readonly operation: ConsoleOperation;
}

/** A request for the console, as the listener received it. */
export interface ConsoleCall {
  readonly action: DirectoryAction | OwnAction;
  readonly requestId: string;
  readonly method: string;
  /** The query as received, still encoded; '' without one. */
  readonly query: string;
  /** The tenant's id in the path, as received. */
  readonly tenant: string | undefined;
  readonly sessionToken: string | undefined;
  /** The client's address, if known. */
  readonly address: string | undefined;
  /** The browser, as it names itself. */
  readonly userAgent: string | undefined;
  readonly origin: string | undefined;
  /** The origin of this console, as the browser should see it. */
  readonly ownOrigin: string;
  /** The header that only a page of the same origin can send. */
  readonly consoleHeader: string | undefined;
  /** The id of the operator who began a change, as the page sends it. */
  readonly operatorId: string | undefined;
  /** The page's UUID for a change. */
  readonly changeId: string | undefined;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly disconnectSignal: () => AbortSignal;
  readonly incoming?: IncomingBody;
}

/** The answer's effect on the session's cookie. */
export type CookieChange = BegunSession | 'clear' | undefined;

interface BegunSession {
  readonly token: string;
  /** Who signed in, for the log; absent when a signed-in operator gets a new session. */
  readonly username?: string;
}
