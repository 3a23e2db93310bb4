import { CallError } from '../../api/call.ts';

/**
 * Replaces the text of a wrong credential, which names all three that the sign-in asks for. The id of the request goes
 * with it: a wrong credential is no fault of the server, so nobody has to look for the request in its log.
 *
 * @param wrong what to say where only one was asked for
 */
export function explainWrong(error: Error | null, wrong: string): Error | null {
  return error instanceof CallError && error.code === 1602 ? new Error(wrong, { cause: error }) : error;
}
