import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toListenError } from './listen-error.ts';

const settings = { port: '--port or FIELDROSTER_PORT', host: '--host or FIELDROSTER_HOST' };

test('the error for an unknown or refused address says what to do', () => {
  const messageFor = (code: string, address: string) =>
    toListenError(Object.assign(new Error('of the system'), { code }), address, settings).message;
  assert.equal(
    messageFor('ENOTFOUND', 'directory:8080'),
    'cannot listen on directory:8080: this name has no address; choose another with --host or FIELDROSTER_HOST',
  );
  assert.equal(
    messageFor('EINVAL', '[fe80::1]:8080'),
    'cannot listen on [fe80::1]:8080: the system refuses this address; a link-local one needs its interface, such as fe80::1%eth0; choose another with --host or FIELDROSTER_HOST',
  );
  assert.equal(
    messageFor('EMFILE', '127.0.0.1:8080'),
    'cannot listen on 127.0.0.1:8080: this process may open no more files; raise the limit of open files (LimitNOFILE, ulimit -Hn) to at least 256 and one for each connection',
  );
});
