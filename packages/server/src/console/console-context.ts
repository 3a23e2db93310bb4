import type { ErrorCode } from '@fieldroster/contract';
import type {
  ConsoleData,
  ConsoleErrorCode,
  ConsoleInput,
  ConsoleOperation,
} from '@fieldroster/contract/console';
import type { Problem } from '@fieldroster/contract/problems';
import type { SecretVault } from '../applications/secret-vault.ts';
import type { AcceptanceClaim, Actor, Database, OperatorEvent } from '../database/database.ts';
import { ApiError } from '../errors/api-error.ts';
import type { PasswordGuesses } from '../passwords/password-guesses.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import type { CookieChange } from './console-call.ts';
import type { DailyCounts } from './daily-counts.ts';
import type { Deployment } from './deployment.ts';
import type { DirectoryCounts } from './directory-counts.ts';
import type { KnownTenants } from './known-tenants.ts';
import type { CodeGuesses } from './sign-in/code-guesses.ts';
import type { Sessions, SignedIn } from './sign-in/sessions.ts';

/** Dependencies of the console's handlers. */
export interface ConsoleParts {
  readonly database: Database;
  readonly vault: SecretVault;
  readonly passwords: PasswordHasher;
  readonly guesses: PasswordGuesses;
  readonly codes: CodeGuesses;
  readonly sessions: Sessions;
  readonly deployment: Deployment;
  readonly tenants: KnownTenants;
  readonly counts: DirectoryCounts;
  readonly dailyCounts: DailyCounts;
  /** Path before every signed operation. */
  readonly basePath: string;
  /** Port of the signed operations if the console has a separate port. */
  readonly operationsPort: () => number | undefined;
  /** Release of the server. */
  readonly release: string;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** The tools of a console handler. */
export interface ConsoleContext<Definition extends ConsoleOperation = ConsoleOperation> {
  readonly parts: ConsoleParts;
  readonly requestId: string;
  /** The client's address, if known. */
  readonly address: string | undefined;
  /** The browser, as it names itself. */
  readonly userAgent: string | undefined;
  readonly disconnectSignal: () => AbortSignal;
  /** The caller; throws for an operation that visitors may call. */
  readonly signedIn: SignedIn;
  /** The tenant in the path; throws for an operation without one. */
  readonly tenantId: bigint;
  /** The claim of a change; `undefined` for reads and for visitors. */
  readonly claim: AcceptanceClaim | undefined;
  /** The caller, for audit rows of a tenant. */
  readonly actor: Actor;
  readonly refuse: (code: Definition['codes'][number], message: string | Problem) => ApiError;
  /** Makes the event of a change by the caller. */
  readonly event: (changes: OperatorEvent['changes']) => OperatorEvent;
  /** Sets or clears the session's cookie with the answer. */
  readonly setCookie: (change: CookieChange) => void;
}

/** One of the console's own operations: read, decide, write, present. */
export type ConsoleHandler<Definition extends ConsoleOperation> = (
  input: ConsoleInput<Definition>,
  context: ConsoleContext<Definition>,
) => Promise<ConsoleData<Definition>>;

/** Makes an error with a code that the operation declares. */
export function refuse(code: ConsoleErrorCode | ErrorCode, message: string | Problem): ApiError {
  return new ApiError(code, message);
}
