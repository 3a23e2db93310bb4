import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, test } from 'node:test';
import { wrapRequestListener } from './wrap-request-listener.ts';

describe('wrapping the request listener', () => {
  test('passes requests on to it', () => {
    const seen: string[] = [];
    const server = createServer(() => void seen.push('inner'));
    wrapRequestListener(server, (handle) => (request, response) => {
      seen.push('outer');
      handle(request, response);
    });
    server.emit('request', {}, {});
    assert.deepEqual(seen, ['outer', 'inner']);
  });

  test('refuses a server with none, and one with several, because it would lose all but one', () => {
    const server = createServer();
    const wrap = () => wrapRequestListener(server, (handle) => handle);
    assert.throws(wrap, /the server has 0 request listeners instead of one/);
    server.on('request', () => {}).on('request', () => {});
    assert.throws(wrap, /the server has 2 request listeners instead of one/);
  });
});
