import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { provisionDirectory } from '../provision-directory.ts';
import { countSignedWrites, findDamage } from '../read-database.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';

// The system fails once to end a lock of the database. SQLite then takes the lock for that of another connection, and the
// process never writes again.

/** Replaces the system's function with one that fails to end a lock if a file exists, which it removes. */
const failingUnlock = `
  #define _GNU_SOURCE
  #include <dlfcn.h>
  #include <errno.h>
  #include <fcntl.h>
  #include <stdarg.h>
  #include <stdio.h>
  #include <stdlib.h>
  #include <string.h>
  #include <unistd.h>
  static int is_of_directory(int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    const char *name = strrchr(path, '/');
    return name != NULL && strcmp(name, "/fieldroster.db-shm") == 0;
  }
  #define STANDS_IN_FOR(name) \\
    int name(int fd, int command, ...) { \\
      va_list rest; \\
      va_start(rest, command); \\
      void *argument = va_arg(rest, void *); \\
      va_end(rest); \\
      if (command == F_SETLK && ((struct flock *) argument)->l_type == F_UNLCK \\
          && ((struct flock *) argument)->l_start == 120 && is_of_directory(fd) \\
          && unlink(getenv("FAULT_FILE")) == 0) { \\
        errno = EIO; \\
        return -1; \\
      } \\
      return ((int (*)(int, int, ...)) dlsym(RTLD_NEXT, #name))(fd, command, argument); \\
    }
  STANDS_IN_FOR(fcntl)
  STANDS_IN_FOR(fcntl64)
`;

if (process.platform !== 'linux' || spawnSync('cc', ['--version']).error !== undefined)
  console.error('NOT TESTED: a lock that the system does not end, because there is no C compiler (cc)');
else
  test('a node whose lock the system did not end is not ready once a write has waited for it, and writes after a restart', async (t) => {
    const directory = await provisionDirectory(1);
    t.after(() => directory.remove());
    const library = join(directory.folder, 'failing-unlock.so');
    writeFileSync(`${library}.c`, failingUnlock);
    assert.equal(spawnSync('cc', ['-shared', '-fPIC', '-o', library, `${library}.c`, '-ldl']).status, 0);
    const faultFile = join(directory.folder, 'fault');
    const environment = { LD_PRELOAD: library, FAULT_FILE: faultFile };
    const server = await ServerProcess.start({ flags: directory.flags, environment });
    t.after(() => server.kill());
    const client = new SignedClient(server.url, directory.credentials);
    t.after(() => client.close());
    await server.untilReady();
    writeFileSync(faultFile, '');
    const create = (username: string) => client.sign('POST', '/user/stores', { username });
    await server.until(async () => {
      assert.equal((await client.call('POST', '/user/stores', { username: 'until the fault' })).code, 0);
      return !existsSync(faultFile);
    });
    const waiting = create('waiting');
    const { status, envelope, text } = await client.exchange(waiting);
    assert.deepEqual([status, envelope.code], [503, 1503], text);
    await server.until(async () => (await client.get('/readyz')).status === 503);
    assert.match((await client.get('/readyz')).text, /the system did not end a lock of this node/);
    assert.equal((await client.call('GET', '/user?username=waiting')).code, 1101, 'reads are answered');
    const written = await countSignedWrites(directory);
    await server.kill();
    const again = await ServerProcess.start(directory);
    t.after(() => again.kill());
    const afterwards = new SignedClient(again.url, directory.credentials);
    t.after(() => afterwards.close());
    await again.untilReady();
    assert.equal((await afterwards.send(waiting)).code, 0, 'the refused write had no effect');
    assert.equal(await countSignedWrites(directory), written + 1);
    assert.deepEqual(await findDamage(directory), []);
  });
