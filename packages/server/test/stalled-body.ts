import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify, { type FastifyInstance } from 'fastify';
import type { CallRecorder } from '../src/call-records/call-recorder.ts';
import { ArrivalWatch, windowMs } from '../src/http/body/arrival-watch.ts';
import { BodyBudget } from '../src/http/body/body-budget.ts';
import { passBodiesOn } from '../src/http/body/unread-bodies.ts';
import { createDrain } from '../src/http/drain.ts';
import { RequestLog } from '../src/http/log/request-log.ts';
import { RunningCalls } from '../src/http/running-calls.ts';
import { Logger } from '../src/logging/logger.ts';

type Parts = ReturnType<typeof partsFor>;

/**
 * Sends a request whose body stalls after one byte to routes that wait for the whole body. Returns everything that the
 * connection gets once the call has ended.
 */
export async function answerToStalledBody(
  target: string,
  addRoutes: (app: FastifyInstance, parts: Omit<Parts, 'received' | 'stall'>) => void,
): Promise<string> {
  const app = Fastify({ forceCloseConnections: true });
  passBodiesOn(app);
  const { received, stall, ...parts } = partsFor(app);
  addRoutes(app, parts);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const headers = 'Host: h\r\nContent-Type: application/json\r\nContent-Length: 100';
  socket.write(`POST ${target} HTTP/1.1\r\n${headers}\r\n\r\n{`);
  await received;
  stall();
  const answer = await text(socket);
  await parts.running.ended();
  await app.close();
  return answer;
}

function partsFor(app: FastifyInstance) {
  const received = Promise.withResolvers<void>();
  let nowMs = 0;
  const watch = new ArrivalWatch(() => nowMs);
  const recorder: Pick<CallRecorder, 'recordFailure'> = { recordFailure: () => {} };
  return {
    async run({
      incoming,
    }: {
      readonly incoming?: { receive(): Promise<unknown> } | undefined;
    }): Promise<never> {
      const whole = incoming?.receive();
      received.resolve();
      await whole;
      throw new TypeError('the body is never whole');
    },
    running: new RunningCalls(60_000),
    now: () => nowMs,
    drain: createDrain(app),
    log: new RequestLog(new Logger('silent', () => {}), recorder as CallRecorder),
    bodies: { budget: new BodyBudget({ smallBytes: 10_000, largeBytes: 10_000 }), watch },
    received: received.promise,
    /** Lets the time pass within which a byte had to arrive. */
    stall() {
      nowMs += windowMs;
      watch.check();
    },
  };
}
