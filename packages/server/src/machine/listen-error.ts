import { OperatorError } from '../errors/operator-error.ts';
import { raiseOpenFiles } from './raise-open-files.ts';

/** The server cannot listen on its address. */
export class ListenError extends OperatorError {
  override readonly name = 'ListenError';
}

/** Settings that change the address, as the message names them. */
export interface AddressSettings {
  /** The flag or variable that chooses another port. */
  readonly port: string;
  /** The flag or variable that chooses another host. */
  readonly host: string;
}

/** @param address host and port */
export function toListenError(error: unknown, address: string, settings: AddressSettings): ListenError {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    EADDRINUSE: `another program listens there already; choose another port with ${settings.port}`,
    EACCES: `this user may not listen there; choose another port with ${settings.port}`,
    EADDRNOTAVAIL: `this machine has no such address; choose another with ${settings.host}`,
    ENOTFOUND: `this name has no address; choose another with ${settings.host}`,
    EMFILE: `this process may open no more files; ${raiseOpenFiles}`,
    EINVAL: `the system refuses this address; a link-local one needs its interface, such as fe80::1%eth0; choose another with ${settings.host}`,
  };
  return new ListenError(`cannot listen on ${address}: ${reasons[code ?? ''] ?? message}`, { cause: error });
}
