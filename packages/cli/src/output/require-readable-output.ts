import { fstatSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { UsageError } from '../run-program.ts';

/**
 * Call it before making a secret that can be shown only once. Writing to standard output succeeds although it is closed,
 * because Node.js opens the null device in its place.
 *
 * @param secret names the secret in the message
 * @throws {UsageError} when standard output is closed or the null device
 */
export function requireReadableOutput(secret: string): void {
  if (!isOutputDiscarded()) return;
  throw new UsageError(
    `nobody could read the new ${secret}, because standard output is closed or ${devNull}; nothing was changed: run the command again with standard output going to a terminal, a file or a pipe`,
  );
}

/** Returns whether standard output is the null device. */
export function isOutputDiscarded(): boolean {
  try {
    const [output, discarding] = [fstatSync(process.stdout.fd), statSync(devNull)];
    return output.isCharacterDevice() && output.rdev === discarding.rdev;
  } catch {
    // The system has no null device, or does not show it.
    return false;
  }
}
