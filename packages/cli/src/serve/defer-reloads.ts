import { isatty } from 'node:tty';

let isAsked = false;

/**
 * Remembers a SIGHUP that arrives during the start, until the server can handle it. It would otherwise end the process.
 */
export function deferReloads(): void {
  const standardInput = 0;
  // A closed terminal must still end the start. `process.stdin` would open its input, before Node.js restarts itself.
  if (!isatty(standardInput)) process.on('SIGHUP', remember);
}

/** Passes a remembered SIGHUP on, and every later one. */
export function passReloadsTo(reload: () => void): void {
  process.off('SIGHUP', remember);
  process.on('SIGHUP', reload);
  if (isAsked) reload();
}

function remember(): void {
  isAsked = true;
}
