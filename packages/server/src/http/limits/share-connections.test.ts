import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { beforeEach, describe, test } from 'node:test';
import { shareConnections } from './share-connections.ts';

const windowMs = 200;

describe('sharing connections with other workers', () => {
  let server: EventEmitter;
  let nowMs = 0;
  let pauses = 0;

  function open(count: number): EventEmitter[] {
    return Array.from({ length: count }, () => {
      const socket = new EventEmitter();
      server.emit('connection', socket);
      return socket;
    });
  }

  beforeEach(() => {
    server = new EventEmitter();
    pauses = 0;
    const pause = () => {
      pauses += 1;
    };
    shareConnections(server, { pause, now: () => nowMs });
  });

  test('pauses after each connection that arrives together with another', () => {
    open(32);
    assert.equal(pauses, 31);
  });

  test('does not pause for a connection that arrives alone', () => {
    for (let connection = 0; connection < 10; connection += 1) {
      open(1);
      nowMs += windowMs;
    }
    assert.equal(pauses, 0);
  });

  test('does not pause for connections that replace others', () => {
    const sockets = open(4);
    pauses = 0;
    for (let connection = 0; connection < 100; connection += 1) {
      sockets.shift()?.emit('close');
      sockets.push(...open(1));
    }
    assert.equal(pauses, 0);
  });

  test('pauses at most 64 times in a fifth of a second, however many connections are opened and closed', () => {
    for (let round = 1; round <= 10; round += 1) for (const socket of open(100 * round)) socket.emit('close');
    assert.equal(pauses, 64);
    nowMs += windowMs;
    open(2);
    assert.equal(pauses, 65);
  });

  test('pauses again when a pool comes back', () => {
    for (const socket of open(8)) socket.emit('close');
    pauses = 0;
    nowMs += windowMs;
    open(8);
    assert.equal(pauses, 7);
  });

  test('blocks the process by default, for a twentieth of a millisecond', ({ mock }) => {
    const waits: unknown[] = [];
    mock.method(Atomics, 'wait', (...args: unknown[]) => void waits.push(args.at(-1)));
    mock.method(performance, 'now', () => nowMs);
    server = new EventEmitter();
    shareConnections(server);
    open(2);
    assert.deepEqual(waits, [0.05]);
    nowMs += windowMs;
    open(1);
    assert.equal(waits.length, 1);
  });
});
