import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';

const lookIntervalMs = 20;

/** Lets connections that are kept open come to an end without a request lost on one that is being closed. */
export interface Drain {
  /** Tells the client, once the end has begun, that the connection closes with this answer. */
  announce(reply: FastifyReply): void;
  /**
   * Takes no new connections and tells each one that is still used, with the next answer, that it ends.
   * Resolves when none is left or the time is over.
   */
  drain(timeMs: number): Promise<void>;
  /** Closes the listener; a connection whose last request was just answered is not waited for. */
  closeSoon(): Promise<void>;
}

export function createDrain(app: FastifyInstance): Drain {
  let draining = false;
  return {
    announce(reply) {
      if (draining) reply.header('Connection', 'close');
    },
    async drain(timeMs) {
      draining = true;
      const deadline = performance.now() + timeMs;
      // The close of HTTP's own server would cut idle connections, on which a request may be under way.
      NetServer.prototype.close.call(app.server);
      while (performance.now() < deadline && (await openConnections(app)) > 0) await delay(lookIntervalMs);
    },
    async closeSoon() {
      draining = true;
      const cutIdle = setInterval(() => app.server.closeIdleConnections(), lookIntervalMs);
      await app.close().finally(() => clearInterval(cutIdle));
    },
  };
}

function openConnections(app: FastifyInstance): Promise<number> {
  return new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}
