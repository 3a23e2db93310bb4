import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** The undocumented parser of a connection. */
export interface Parser {
  readonly socket: Socket | null;
  /** The request whose headers were read last, until it is answered. */
  readonly incoming: IncomingMessage | null;
  /** Receives each request once its headers are parsed, and tells the parser how to go on. */
  onIncoming(request: IncomingMessage & { upgrade: boolean }, keepAlive: boolean): number;
  /** Goes on after it was told to pause. */
  resume(): void;
  /** Returns the packet that is being parsed. */
  getCurrentBuffer(): Buffer | undefined;
  /** Takes the parser out of the list that the server checks for late requests. */
  remove(): void;
  initialize(
    type: number,
    resource: object,
    headerBytesMax: number,
    lenientFlags: number,
    connections: object,
  ): void;
}

/** Returns the parser of a connection, which may lack anything: another release of Node.js may work differently inside. */
export function parserOf(socket: Socket): Partial<Parser> | null | undefined {
  return Reflect.get(socket, 'parser');
}
