import { hasTooManyParameters, splitTarget } from '@fieldroster/signing';
import type { KnownApplication } from '../../applications/loaded-application.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { PasswordGuesses } from '../../passwords/password-guesses.ts';
import type { Call, ReceivedBody } from '../call.ts';
import { FailedCall } from './failed-call.ts';
import { refusesCaller } from './refuses-caller.ts';

/** Larger bodies are not parsed for a line of the log. */
const bodyBytesMax = 16 * 1024;

/** The known parts of a request when it is refused. */
interface RefusedRequest {
  readonly call: Call;
  /** The body, if the signature was right; no other may be parsed. */
  readonly verifiedBody?: ReceivedBody;
  /** The application that the headers name; its caller may be somebody else. */
  readonly application: KnownApplication | undefined;
}

/** Adds a keyed hash of the username to what the log says about a refused caller. */
export function nameRefusedUser(
  thrown: unknown,
  { call, verifiedBody, application }: RefusedRequest,
  guesses: PasswordGuesses,
): unknown {
  const { cause } = FailedCall.of(thrown);
  if (!(cause instanceof ApiError) || !refusesCaller(cause.code)) return thrown;
  const username = usernameInQuery(call.target) ?? usernameInBody(verifiedBody);
  if (username === undefined) return thrown;
  const tenantId = application?.tenantId ?? 0n;
  return new FailedCall(thrown, { usernameHash: guesses.hashOf({ tenantId, username }) });
}

function usernameInQuery(target: string): string | undefined {
  const { query } = splitTarget(target);
  if (query === '' || hasTooManyParameters(query)) return undefined;
  return new URLSearchParams(query).get('username') || undefined;
}

function usernameInBody({ bytes }: ReceivedBody = { bytes: Buffer.of() }): string | undefined {
  if (bytes.length > bodyBytesMax) return undefined;
  try {
    const username: unknown = Reflect.get(JSON.parse(bytes.toString('utf8')), 'username');
    return typeof username === 'string' && username !== '' ? username : undefined;
  } catch {
    // A body that is not JSON, or no object, names nobody.
    return undefined;
  }
}
