import type { ConsoleData, ConsoleInput, ConsoleOperation } from '@fieldroster/contract/console';
import type { Problem } from '@fieldroster/contract/problems';
import type { SecretVault } from '../applications/secret-vault.ts';
import type { AcceptanceClaim, Actor, Database, OperatorEvent } from '../database/database.ts';
import type { ApiError } from '../errors/api-error.ts';
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

/** The tools of every console handler, even of one that visitors may call. */
export interface ConsoleContext<Definition extends ConsoleOperation = ConsoleOperation> {
  readonly parts: ConsoleParts;
  readonly requestId: string;
  /** The client's address, if known. */
  readonly address: string | undefined;
  /** The browser, as it names itself. */
  readonly userAgent: string | undefined;
  /** The token in the browser's cookie, whether or not its session is live. */
  readonly sessionToken: string | undefined;
  readonly disconnectSignal: () => AbortSignal;
  /** The claim of a change; `undefined` for reads and for visitors. */
  readonly claim: AcceptanceClaim | undefined;
  /** Returns an error to throw, with a code that the operation declares. */
  readonly refuse: (code: Definition['codes'][number], message: string | Problem) => ApiError;
  /** Makes the event of a change by the caller. */
  readonly event: (changes: OperatorEvent['changes']) => OperatorEvent;
  /** Sets or clears the session's cookie with the answer. */
  readonly setCookie: (change: CookieChange) => void;
}

/** The tools of a handler that only operators may call. */
export interface OperatorContext<Definition extends ConsoleOperation = ConsoleOperation>
  extends ConsoleContext<Definition> {
  /** The caller. */
  readonly signedIn: SignedIn;
  /** The caller, for audit rows of a tenant. */
  readonly actor: Actor;
}

/** The tools of a handler that works on one tenant. */
export interface TenantContext<Definition extends ConsoleOperation = ConsoleOperation>
  extends OperatorContext<Definition> {
  /** The tenant in the path. */
  readonly tenantId: bigint;
}

type ContextOf<Definition extends ConsoleOperation> = {
  readonly visitor: ConsoleContext<Definition>;
  readonly self: OperatorContext<Definition>;
  readonly tenant: TenantContext<Definition>;
  readonly deployment: OperatorContext<Definition>;
}[Definition['reach']];

/** One of the console's own operations: read, decide, write, present. */
export type ConsoleHandler<Definition extends ConsoleOperation> = (
  input: ConsoleInput<Definition>,
  context: ContextOf<Definition>,
) => Promise<ConsoleData<Definition>>;
