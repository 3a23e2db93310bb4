import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { errorCodes } from '@fieldroster/contract';
import { ClientBench } from '../test/client-bench.ts';
import type { SeenRequest, Treatment } from '../test/unreliable-proxy.ts';
import { FieldrosterError, isFieldrosterError, OutcomeUnknownError, TransportError } from './index.ts';

const newcomer = { username: 'li.wei', password: 'Gr33n-Tea', nickname: 'Wei' };

/** Treats the first requests as listed and delivers all others. */
function first(...treatments: readonly Treatment[]) {
  return (count: number): Treatment => treatments[count - 1] ?? 'deliver';
}

function signatures(seen: readonly SeenRequest[]): number {
  return new Set(seen.map(({ headers }) => headers.authorization)).size;
}

describe('a write whose answer is lost', () => {
  test('is sent again with the same bytes', async () => {
    await using bench = await ClientBench.open();
    bench.proxy.treat = first('drop', 'cut', 'swallow');
    await bench.client().createUser(newcomer);
    const creates = bench.proxy.seen.filter(({ method }) => method === 'POST');
    assert.equal(creates.length, 4);
    for (const create of creates) assert.deepEqual(create, creates[0]);
    assert.equal(await bench.timesApplied('create-user'), 1);
  });

  test('is read back after 1015 and returned like a creation, password included', async () => {
    await using bench = await ClientBench.open();
    bench.proxy.treat = first('drop');
    const lost = await bench.client().createUser(newcomer);
    const answered = await bench.client().createUser({ ...newcomer, username: 'other' });
    assert.deepEqual(lost, { ...answered, id: lost.id, username: 'li.wei' });
    assert.equal(lost.password, 'Gr33n-Tea');
    assert.equal((await bench.client().queryUser({ username: 'li.wei' })).id, lost.id);
  });

  test('keeps the id when the lost write was a batch', async () => {
    await using bench = await ClientBench.open();
    bench.proxy.treat = first('drop');
    const answer = await bench.client({ ids: 'number' }).batchUpdateUserStores({ username: 'li.wei' });
    const { id } = await bench.client({ ids: 'number' }).queryUser({ username: 'li.wei' });
    assert.deepEqual(answer, { id, username: 'li.wei' });
  });

  test('is distinguished from a failure if reading it back fails', async () => {
    await using bench = await ClientBench.open();
    bench.proxy.treat = (count, { method }) =>
      count === 1 ? 'drop' : method === 'GET' ? { status: 403, body: 'blocked' } : 'deliver';
    await assert.rejects(bench.client().createUser(newcomer), (error: Error) => {
      assert.equal(error.name, 'AnswerLostError');
      assert.match(error.message, /create-user was applied/);
      assert(error.cause instanceof TransportError);
      return true;
    });
  });

  test('is sent again after a time-out while the server still holds the first', async () => {
    await using bench = await ClientBench.open();
    bench.proxy.treat = first('hold');
    const { id } = await bench.client({ timeoutMs: 2_000 }).createUser(newcomer);
    assert.equal(typeof id, 'bigint');
    assert.equal(await bench.timesApplied('create-user'), 1);
  });

  test('is sent again when a failing gateway answers instead of the server', async () => {
    await using bench = await ClientBench.open();
    bench.proxy.treat = first({ status: 502, body: '<h1>Bad gateway</h1>' }, { status: 200, body: '' });
    await bench.client().createUser(newcomer);
    assert.equal(bench.proxy.seen.length, 3);
  });

  test('is sent again when the answer of code 0 has no object as its data', async () => {
    for (const data of ['null', '"text"', '3', '[]']) {
      await using bench = await ClientBench.open();
      bench.proxy.treat = first({ status: 200, body: `{"code":0,"data":${data}}`, passedOn: true });
      assert.equal((await bench.client().createUser(newcomer)).username, 'li.wei');
      assert.equal(await bench.timesApplied('create-user'), 1);
    }
  });

  test('ends with the server’s own refusal when the repetition is refused', async () => {
    await using bench = await ClientBench.open();
    bench.proxy.treat = first('swallow');
    await assert.rejects(bench.client().bindUserStore({ user_id: 4711, store_code: 'S001' }), (error) =>
      isFieldrosterError(error, 1101),
    );
  });
});

describe('a write whose signature expires before its outcome is known', () => {
  for (const [name, call] of Object.entries({
    createUser: (bench: ClientBench) => bench.client().createUser(newcomer),
    'updateUser of one revision': (bench: ClientBench) =>
      bench.client().updateUser({ id: 1, if_revision: 1n }),
    unbindUserRole: (bench: ClientBench) => bench.client().unbindUserRole({ user_id: 1, role_id: 7 }),
    unbindUserOrg: (bench: ClientBench) => bench.client().unbindUserOrg({ user_id: 1, org_id: 1 }),
    unbindUserStore: (bench: ClientBench) => bench.client().unbindUserStore({ user_id: 1, store_code: 'S1' }),
  })) {
    test(`is reported as unknown and not signed again: ${name}`, async () => {
      await using bench = await ClientBench.open();
      bench.proxy.treat = () => {
        bench.passTime(56_000);
        return 'drop';
      };
      await assert.rejects(call(bench), (error) => {
        assert(error instanceof OutcomeUnknownError && error instanceof TransportError);
        assert.equal(error.mayHaveBeenApplied, true);
        return true;
      });
      assert.equal(bench.proxy.seen.length, 1);
    });
  }

  test('is signed again if repeating it has no further effect', async () => {
    await using bench = await ClientBench.open();
    const { id } = await bench.client().createUser(newcomer);
    const user = { user_id: id };
    const writes = [
      () => bench.client().updateUser({ id, nickname: 'W' }),
      () => bench.client().bindUserRole({ ...user, role_id: 7 }),
      () => bench.client().bindUserOrg({ ...user, org_id: 1 }),
      () => bench.client().bindUserStore({ ...user, store_code: 'S001' }),
      () => bench.client().batchUpdateUserStores({ username: 'li.wei', store_codes: ['S002'] }),
    ];
    for (const write of writes) {
      const before = bench.proxy.seen.length;
      bench.proxy.treat = (count) => {
        if (count > before + 1) return 'deliver';
        bench.passTime(56_000);
        return 'drop';
      };
      await write();
      assert.equal(signatures(bench.proxy.seen.slice(before)), 2);
    }
    const { stores } = await bench.client().queryUserStores(user);
    assert.deepEqual(
      stores.map(({ code }) => code),
      ['S002'],
    );
  });

  for (const [name, changeMs] of Object.entries({
    'too late': 61_000,
    'at a clock that was set back': -61_000,
  })) {
    test(`is reported as unknown when the repetition arrives ${name}`, async () => {
      await using bench = await ClientBench.open();
      bench.proxy.treat = (count) => {
        if (count === 2) bench.server.nowMs += changeMs;
        return count === 1 ? 'drop' : 'deliver';
      };
      await assert.rejects(bench.client().createUser(newcomer), (error) => {
        assert(error instanceof OutcomeUnknownError);
        return isFieldrosterError(error.cause, 1012);
      });
      assert.equal(bench.proxy.seen.length, 2, 'it is not signed again with the corrected time');
    });
  }

  for (const [code, message] of [
    [1001, 'the body arrives too slowly'],
    [1003, 'the content type is not supported'],
    [1004, 'the body is too large'],
    [1005, 'no such operation'],
    [1006, 'the path does not support this method'],
    [1011, 'the Nonce header is missing'],
    [1014, 'the signature does not match'],
    [1016, 'the application may not call this operation'],
    [1429, 'too many requests'],
  ] as const) {
    test(`is reported as unknown if the repetition is answered ${code}, which comes before the record is looked for`, async () => {
      await using bench = await ClientBench.open();
      bench.proxy.treat = first('drop', { status: 200, body: JSON.stringify({ code, message }) });
      await assert.rejects(bench.client({ retry: { attemptsMax: 2 } }).createUser(newcomer), (error) => {
        assert(error instanceof OutcomeUnknownError);
        assert.match(
          error.message,
          new RegExp(`^it is not known whether create-user was applied: .*${message}$`),
        );
        return isFieldrosterError(error.cause, code);
      });
      assert.equal(await bench.timesApplied('create-user'), 1);
    });
  }

  test('is reported as unknown if the application is revoked in between', async () => {
    await using bench = await ClientBench.open();
    const refusal = JSON.stringify({ code: 1013, message: 'the application is unknown or revoked' });
    bench.proxy.treat = first('drop', { status: 200, body: refusal });
    await assert.rejects(bench.client().createUser(newcomer), (error) => {
      assert(error instanceof OutcomeUnknownError);
      return isFieldrosterError(error.cause, 1013);
    });
  });
});

describe('1015', () => {
  test('to the first request proves that a proxy on the way sent the write twice, and the call succeeds', async () => {
    await using bench = await ClientBench.open();
    bench.proxy.treat = (_, { method }) => (method === 'GET' ? 'deliver' : 'resend');
    const client = bench.client({ retry: { attemptsMax: 1 } });
    const { id, password } = await client.createUser(newcomer);
    assert.equal(password, newcomer.password);
    assert.equal((await client.batchUpdateUserStores({ username: 'li.wei', store_codes: ['S001'] })).id, id);
    await client.unbindUserStore({ user_id: id, store_code: 'S001' });
    await client.deleteUser({ user_id: id });
    for (const operation of ['create-user', 'batch-update-user-stores', 'unbind-user-store', 'delete-user'])
      assert.equal(await bench.timesApplied(operation), 1);
  });

  test('is an error if it says that another request has used the nonce', async () => {
    await using bench = await ClientBench.open({ settings: { replay: 'nonce' } });
    const sameNonce = '0f0e0d0c-0b0a-4908-8706-050403020100';
    const { crypto } = globalThis;
    const randomUUID = crypto.randomUUID;
    crypto.randomUUID = () => sameNonce;
    try {
      await bench.client().createUser(newcomer);
      const other = bench.client().createUser({ ...newcomer, username: 'other' });
      await assert.rejects(other, (error) => isFieldrosterError(error, 1015));
    } finally {
      crypto.randomUUID = randomUUID;
    }
    assert.equal(await bench.timesApplied('create-user'), 1);
  });

  test('proves a write only if its message begins as the contract promises', async () => {
    await using bench = await ClientBench.open();
    const promised = errorCodes[1015].fixedBeginnings.map(({ text }) => text);
    const unknown = ['this signed request has already taken', 'this request was processed before', ''];
    const proofs: string[] = [];
    for (const text of [...promised, ...unknown]) {
      const body = JSON.stringify({ code: 1015, message: `${text}, and nothing was done now` });
      bench.proxy.treat = () => ({ status: 200, body });
      const binding = bench.client().bindUserRole({ user_id: 1, role_id: 7 });
      await binding.then(
        () => proofs.push(text),
        () => {},
      );
    }
    assert.deepEqual(proofs, [promised[0]]);
  });

  test('of a read, under the rule that accepts every nonce once, leads to a new signature', async () => {
    await using bench = await ClientBench.open({ settings: { replay: 'nonce' } });
    const { id } = await bench.client().createUser(newcomer);
    const before = bench.proxy.seen.length;
    bench.proxy.treat = first('deliver', 'drop', 'drop');
    assert.equal((await bench.client().queryUser({ user_id: id })).id, id);
    assert.equal(signatures(bench.proxy.seen.slice(before)), 3);
  });
});

describe('a server that does not know the outcome', () => {
  const unknown = { status: 500, body: JSON.stringify({ code: 1500, message: 'the outcome is unknown' }) };

  test('is sent the same write again, whether applied or not', async () => {
    for (const passedOn of [true, false]) {
      await using bench = await ClientBench.open();
      bench.proxy.treat = first({ ...unknown, passedOn });
      assert.equal((await bench.client().createUser(newcomer)).username, 'li.wei');
      const creates = bench.proxy.seen.filter(({ method }) => method === 'POST');
      assert.equal(creates.length, 2);
      assert.equal(signatures(creates), 1);
      assert.equal(await bench.timesApplied('create-user'), 1);
    }
  });

  test('leaves the outcome open if it never answers', async () => {
    await using bench = await ClientBench.open();
    bench.proxy.treat = () => unknown;
    const client = bench.client({ retry: { attemptsMax: 3 } });
    await assert.rejects(client.createUser(newcomer), (error) => {
      assert(error instanceof OutcomeUnknownError);
      assert(isFieldrosterError(error.cause, 1500));
      return true;
    });
    assert.equal(bench.proxy.seen.length, 3);
  });

  test('is not asked again by a read', async () => {
    await using bench = await ClientBench.open();
    bench.proxy.treat = () => unknown;
    const reading = bench.client().queryUser({ username: 'li.wei' });
    await assert.rejects(reading, (error) => isFieldrosterError(error, 1500));
    assert.equal(bench.proxy.seen.length, 1);
  });
});

describe('an overloaded server', () => {
  test('is asked again with the same signature', async () => {
    await using bench = await ClientBench.open({ lockWaitMs: 10 });
    const created = await bench.server.whileLocked(async () => {
      const creation = bench.client().createUser(newcomer);
      while (!bench.server.logLines.some((line) => line.includes('1503'))) {
        await new Promise((resume) => setTimeout(resume, 5));
      }
      return { creation };
    });
    assert.equal((await created.creation).username, 'li.wei');
    assert(bench.proxy.seen.length >= 2);
    assert.equal(signatures(bench.proxy.seen), 1);
  });

  test('is not asked before the time in Retry-After, in seconds or as a date', async () => {
    await using bench = await ClientBench.open();
    const busy = JSON.stringify({ code: 1429, message: 'too many requests' });
    for (const inFuture of ['100', new Date(bench.server.nowMs + 100_000).toUTCString()]) {
      bench.proxy.treat = () => ({ status: 429, headers: { 'Retry-After': inFuture }, body: busy });
      const impatient = bench.client({ retry: { budgetMs: 90_000 } });
      await assert.rejects(impatient.createUser(newcomer), (error) => isFieldrosterError(error, 1429));
    }
    assert.equal(bench.proxy.seen.length, 2);
  });

  test('ends the call with 1503 after the last attempt', async () => {
    await using bench = await ClientBench.open();
    bench.proxy.treat = () => ({ status: 503, body: JSON.stringify({ code: 1503, message: 'later' }) });
    const client = bench.client({ retry: { attemptsMax: 3 } });
    await assert.rejects(client.createUser(newcomer), (error) => isFieldrosterError(error, 1503));
    assert.equal(bench.proxy.seen.length, 3);
  });

  test('does not get a creation with a new signature, because it may have done more than it said', async () => {
    await using bench = await ClientBench.open();
    bench.proxy.treat = () => {
      bench.passTime(56_000);
      return { status: 503, body: JSON.stringify({ code: 1503, message: 'later' }) };
    };
    await assert.rejects(bench.client().createUser(newcomer), (error) => isFieldrosterError(error, 1503));
    assert.equal(bench.proxy.seen.length, 1);
  });
});

describe('no server at all', () => {
  test('is a transport error that says that nothing was applied', async () => {
    await using bench = await ClientBench.open();
    const client = bench.client({ retry: { attemptsMax: 2 } });
    await bench.proxy.close();
    await assert.rejects(client.createUser(newcomer), (error) => {
      assert(error instanceof TransportError && !(error instanceof OutcomeUnknownError));
      assert.equal(error.mayHaveBeenApplied, false);
      assert.equal(error.operation, 'create-user');
      return true;
    });
  });

  test('is reported at once if another program answers, or a redirect', async () => {
    await using bench = await ClientBench.open();
    const strange = [
      { answer: { status: 404, body: 'no such page' }, message: /no envelope/ },
      { answer: { status: 307, headers: { Location: '/elsewhere' } }, message: /redirect to \/elsewhere;/ },
    ];
    for (const { answer, message } of strange) {
      bench.proxy.treat = () => answer;
      await assert.rejects(bench.client().createUser(newcomer), {
        name: 'TransportError',
        reach: 'misdirected',
        message,
      });
    }
    assert.equal(bench.proxy.seen.length, strange.length);
  });

  test('is reported at once as not applied if the connection cannot carry a request', async () => {
    await using bench = await ClientBench.open();
    const urls = [
      { url: bench.proxy.url.replace('http:', 'https:'), message: /^the server speaks http, not https/ },
      { url: 'http://127.0.0.1:1', message: /^the server cannot be reached: .*this port, which is reserved/ },
    ];
    for (const { url, message } of urls) {
      const expected = { name: 'TransportError', reach: 'misdirected', message, mayHaveBeenApplied: false };
      const retry = { attemptsMax: 2, delayMs: 60_000, delayMsMax: 60_000 };
      await assert.rejects(bench.client({ url, retry }).createUser(newcomer), expected);
    }
    assert.equal(bench.proxy.seen.length, 0);
  });

  test('leaves the outcome open if such a fault is in a later record, which may belong to an answer', async () => {
    await using bench = await ClientBench.open();
    const cause = Object.assign(new Error('wrong version number: tls13_meth.c'), {
      code: 'ERR_SSL_WRONG_VERSION_NUMBER',
    });
    const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
    await assert.rejects(bench.client({ fetch, retry: { attemptsMax: 1 } }).createUser(newcomer), {
      name: 'OutcomeUnknownError',
      reach: 'lost',
    });
  });

  test('is reported as not applied if no connection was made, for whatever reason', async () => {
    await using bench = await ClientBench.open();
    const cause = Object.assign(new Error('connect ENETUNREACH 255.255.255.255:81'), {
      code: 'ENETUNREACH',
      syscall: 'connect',
    });
    const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
    await assert.rejects(bench.client({ fetch, retry: { attemptsMax: 1 } }).createUser(newcomer), {
      name: 'TransportError',
      reach: 'unsent',
      message: 'the server cannot be reached: no connection was made (ENETUNREACH)',
    });
  });

  test('is reported as not applied if no connection was made to any address of the host', async () => {
    await using bench = await ClientBench.open();
    const connecting = (code: string) =>
      Object.assign(new Error(`connect ${code}`), { code, syscall: 'connect' });
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
    const ends = async (errors: readonly Error[]) => {
      const cause = Object.assign(new AggregateError(errors), { code: 'ETIMEDOUT' });
      const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
      const client = bench.client({ fetch, retry: { attemptsMax: 1 } });
      return client.createUser(newcomer).catch(({ name, reach }: TransportError) => [name, reach]);
    };
    const unreachable = ['ETIMEDOUT', 'ENETUNREACH'].map(connecting);
    assert.deepEqual(await ends(unreachable), ['TransportError', 'unsent']);
    assert.deepEqual(await ends([...unreachable, reset]), ['OutcomeUnknownError', 'lost']);
    assert.deepEqual(await ends([]), ['OutcomeUnknownError', 'lost']);
  });

  test('ends a read with a transport error after the bounded number of attempts', async () => {
    await using bench = await ClientBench.open();
    bench.proxy.treat = () => 'swallow';
    await assert.rejects(bench.client({ retry: { attemptsMax: 4 } }).queryUser({ user_id: 1 }), {
      name: 'TransportError',
      reach: 'lost',
      mayHaveBeenApplied: false,
    });
    assert.equal(bench.proxy.seen.length, 4);
  });
});

test('a refusal is never retried', async () => {
  await using bench = await ClientBench.open();
  await bench.client().createUser(newcomer);
  await assert.rejects(bench.client().createUser(newcomer), (error) => {
    assert(error instanceof FieldrosterError);
    assert.equal(error.code, 1102);
    assert.equal(error.codeName, 'username-taken');
    assert.equal(error.operation, 'create-user');
    assert.equal(error.httpStatus, 200);
    assert.match(error.requestId ?? '', /^[0-9a-f]{12}-/);
    assert.match(error.message, /"li\.wei" is taken/);
    return true;
  });
  assert.equal(bench.proxy.seen.length, 2);
});

describe('a dry run', () => {
  const users = [{ username: 'li.wei' }];

  test('whose answers are lost ends with a transport error: it changes nothing', async () => {
    await using bench = await ClientBench.open();
    bench.proxy.treat = () => 'drop';
    const client = bench.client({ retry: { attemptsMax: 2 } });
    const lost = { name: 'TransportError', reach: 'lost', mayHaveBeenApplied: false };
    await assert.rejects(client.batchUsers({ users, dry_run: true }), lost);
    await assert.rejects(client.upsertStores({ stores: [{ code: 'S1', name: 'One' }], dry_run: true }), lost);
    await assert.rejects(client.batchUsers({ users, dry_run: false }), { name: 'OutcomeUnknownError' });
  });

  test('is asked for by a field that other operations ignore: they take effect', async () => {
    await using bench = await ClientBench.open();
    bench.proxy.treat = () => 'drop';
    const client = bench.client({ retry: { attemptsMax: 1 } });
    const input = { ...newcomer, dry_run: true };
    await assert.rejects(client.createUser(input), { name: 'OutcomeUnknownError' });
    assert.equal(await bench.timesApplied('create-user'), 1);
  });

  test('is signed again for the next attempt', async () => {
    await using bench = await ClientBench.open();
    bench.proxy.treat = first('drop');
    const { applied, created } = await bench.client().batchUsers({ users, dry_run: true });
    assert.deepEqual([applied, created], [false, 1]);
    assert.equal(signatures(bench.proxy.seen), 2);
  });
});

for (const [name, message, attempts] of [
  ['not repeated after too many wrong ones', errorCodes[1429].fixedBeginnings[0].text, 1],
  ['repeated after too many requests, as nobody looked at it', 'app-main may make 5 requests a second', 3],
] as const) {
  test(`a check of a password is ${name}`, async () => {
    await using bench = await ClientBench.open();
    const body = JSON.stringify({ code: 1429, message });
    bench.proxy.treat = () => ({ status: 429, headers: { 'Retry-After': '0' }, body });
    const checked = bench
      .client({ retry: { attemptsMax: 3 } })
      .checkPassword({ username: 'li.wei', password: 'a guess' });
    await assert.rejects(checked, (error) => isFieldrosterError(error, 1429));
    assert.equal(bench.proxy.seen.length, attempts);
  });
}
