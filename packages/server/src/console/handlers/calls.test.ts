import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ConsoleBrowser, owner } from '../../../test/console-browser.ts';
import { applications, startTestServer, type TestServer } from '../../../test/test-server.ts';

interface History {
  readonly points: readonly { readonly calls: number }[];
  readonly operations: readonly {
    readonly operation: string;
    readonly calls: number;
    readonly failed: number;
  }[];
  readonly codes: readonly { readonly code: number; readonly calls: number }[];
  readonly before: { readonly calls: number; readonly failed: number };
}

interface Health {
  readonly counts?: { readonly users: number; readonly stores: number; readonly bindings: number };
  readonly failing: readonly {
    readonly app_id: string;
    readonly name: string;
    readonly revoked: boolean;
    readonly code: number;
    readonly operation?: string;
    readonly calls: number;
    readonly all_calls: number;
    readonly last?: { readonly request_id: string };
  }[];
}

interface FailedCalls {
  readonly calls: readonly {
    readonly request_id: string;
    readonly at: number;
    readonly app_id: string;
    readonly code: number;
  }[];
  readonly next_cursor: string;
}

describe('calls in the console', () => {
  let server: TestServer;
  let ofAll: ConsoleBrowser;
  let ofOne: ConsoleBrowser;

  const read = async <Data>(page: ConsoleBrowser, path: string, tenantId = server.tenantId) =>
    (await page.succeed('GET', `/tenants/${tenantId}${path}`)).data as unknown as Data;

  /** Writes what was counted, as a server does once a minute. */
  async function flush(): Promise<void> {
    server.app.recorder.flush();
    await server.database.bookkeeping.flush();
  }

  before(async () => {
    server = await startTestServer();
    [ofAll, ofOne] = [new ConsoleBrowser(server), new ConsoleBrowser(server)];
    await ofAll.join('all', owner);
    await ofOne.join('one', { role: 'viewer', allTenants: false, tenantIds: [server.tenantId] });
    await server.call('GET', '/user?username=nobody');
    await server.call('GET', '/user?username=nobody');
    await server.call('GET', '/stores');
    await server.call('GET', '/user?username=nobody', undefined, {
      as: { ...applications.main, appSecret: 'another secret' },
    });
    await server.call('GET', '/user?username=nobody', undefined, { as: applications.other });
    await server.call('GET', '/user?username=nobody', undefined, {
      as: { appId: 'stranger', appSecret: 'x' },
    });
    await flush();
  });

  after(() => server.close());

  test('a history has every step, and adds up by operation and by code', async () => {
    for (const [range, steps] of [
      ['hour', 60],
      ['day', 24],
      ['week', 168],
    ] as const) {
      const history = await read<History>(ofOne, `/call-history?range=${range}`);
      assert.equal(history.points.length, steps);
      assert.equal(history.points.at(-1)?.calls, 4);
      assert.deepEqual(history.codes.map(({ code, calls }) => [code, calls]).sort(), [
        [0, 1],
        [1014, 1],
        [1101, 2],
      ]);
      assert.deepEqual(
        history.operations.map(({ operation, calls, failed }) => [operation, calls, failed]),
        [
          ['query-user', 3, 3],
          ['list-stores', 1, 0],
        ],
      );
    }
  });

  test('calls of the previous period are counted separately', async () => {
    server.nowMs += 3_600_000;
    const { points, codes, before: earlier } = await read<History>(ofOne, '/call-history?range=hour');
    server.nowMs -= 3_600_000;
    assert.deepEqual(
      [points.some(({ calls }) => calls > 0), codes, earlier.calls, earlier.failed],
      [false, [], 4, 3],
    );
  });

  test('calls that a fast clock dated beyond the last step are left out until their time has come', async () => {
    server.nowMs -= 600_000;
    const { points, codes, operations } = await read<History>(ofOne, '/call-history?range=hour');
    server.nowMs += 600_000;
    assert.deepEqual([points.some(({ calls }) => calls > 0), codes, operations], [false, [], []]);
  });

  test('only operators of all tenants see callers that belong to none, and nobody another tenant’s', async () => {
    const callers = async (page: ConsoleBrowser) =>
      (await read<Health>(page, '/health')).failing.map(({ app_id, code, calls }) => [app_id, code, calls]);
    const own = [
      [applications.main.appId, 1014, 1],
      [applications.main.appId, 1101, 2],
    ];
    assert.deepEqual((await callers(ofOne)).sort(), own);
    assert.deepEqual((await callers(ofAll)).sort(), [['', 1013, 1], ...own]);
    const listed = async (page: ConsoleBrowser) =>
      (await read<FailedCalls>(page, '/failed-calls')).calls
        .map(({ app_id, code }) => `${app_id} ${code}`)
        .sort();
    const failures = ['app-main 1014', 'app-main 1101', 'app-main 1101'];
    assert.deepEqual(await listed(ofOne), failures);
    assert.deepEqual(await listed(ofAll), [...failures, 'stra… 1013']);
    const { calls: ofOther } = await read<FailedCalls>(
      ofOne,
      `/failed-calls?app_id=${applications.other.appId}`,
    );
    assert.deepEqual(ofOther, []);
  });

  test('a failing application is named with its last failed call', async () => {
    const { failing } = await read<Health>(ofOne, '/health');
    const wrong = failing.find(({ code }) => code === 1014);
    assert.equal(wrong?.all_calls, 4);
    assert.equal(wrong.operation, 'query-user');
    const { call } = await read<{ call: { strings_to_sign: { name: string; text: string }[][] } }>(
      ofOne,
      `/failed-call?request_id=${wrong?.last?.request_id}`,
    );
    const [lines = []] = call.strings_to_sign;
    assert.deepEqual(
      lines.map(({ name }) => name),
      ['Method', 'Timestamp', 'Nonce', 'CanonicalizedResource'],
    );
    assert.equal(lines.at(-1)?.text, '/user?username=nobody');
  });

  test('a failed call of another tenant looks like one that was never made', async () => {
    const [other] = (await read<FailedCalls>(ofAll, '/failed-calls', server.otherTenantId)).calls.filter(
      ({ app_id }) => app_id === applications.other.appId,
    );
    assert(other !== undefined);
    for (const requestId of [other.request_id, 'never-made']) {
      const { call } = await read<{ call?: object }>(ofOne, `/failed-call?request_id=${requestId}`);
      assert.equal(call, undefined);
    }
  });

  test('only operators of all tenants see how many failed calls of all tenants were only counted', async () => {
    server.database.bookkeeping.calls.addFailures([], { minuteMs: server.nowMs, calls: 7 });
    await flush();
    const unkept = async (page: ConsoleBrowser) =>
      (await read<{ unkept?: number }>(page, '/failed-call?request_id=never-made')).unkept;
    assert.deepEqual([await unkept(ofAll), await unkept(ofOne)], [7, undefined]);
  });

  test('failed calls are filtered and read page by page', async () => {
    const list = (query: string) => read<FailedCalls>(ofOne, `/failed-calls?${query}`);
    assert.equal((await list('code=1101')).calls.length, 2);
    assert.equal((await list('operation=list-stores')).calls.length, 0);
    const all = (await list('limit=500')).calls;
    const [first] = all;
    assert.deepEqual((await list(`request_id=${first?.request_id}`)).calls, [first]);
    const paged = [];
    for (let cursor = ''; ; ) {
      const page = await list(`limit=1${cursor && `&cursor=${cursor}`}`);
      paged.push(...page.calls);
      cursor = page.next_cursor;
      if (cursor === '') break;
    }
    assert.deepEqual(paged, all);
  });

  test('one application’s calls are added up, and not those of another tenant’s', async () => {
    const path = `/applications/calls?range=day&app_id=${applications.main.appId}`;
    const { totals } = await read<{ totals: { operation: string; code: number; calls: number }[] }>(
      ofOne,
      path,
    );
    assert.deepEqual(
      totals.map(({ operation, code, calls }) => [operation, code, calls]),
      [
        ['query-user', 1101, 2],
        ['list-stores', 0, 1],
        ['query-user', 1014, 1],
      ],
    );
    const other = `/tenants/${server.tenantId}/applications/calls?range=day&app_id=${applications.other.appId}`;
    assert.equal((await ofOne.call('GET', other)).code, 1610);
  });

  test('the directory is counted, and counted again at once after a change', async () => {
    const counts = async () => (await read<Health>(ofOne, '/health')).counts;
    const rows = async (table: 'user' | 'store' | 'user_role' | 'user_org' | 'user_store') => {
      const found = await server.db.selectFrom(table).select('tenant_id').execute();
      return found.filter(({ tenant_id }) => tenant_id === server.tenantId).length;
    };
    const bindings = (await rows('user_role')) + (await rows('user_org')) + (await rows('user_store'));
    const first = await counts();
    assert.deepEqual(
      [first?.users, first?.stores, first?.bindings],
      [await rows('user'), await rows('store'), bindings],
    );
    await server.call('POST', '/user', { username: 'counted', password: 'p' });
    assert.equal((await counts())?.users, (first?.users ?? 0) + 1);
  });

  test('an application that fails is named before its calls are counted, without a number of them', async () => {
    // Other tests may have made calls.
    await flush();
    const { failing: before } = await read<Health>(ofOne, '/health');
    const counted = before.find(({ code }) => code === 1014)?.all_calls;
    assert(counted !== undefined);
    await server.call('GET', '/user');
    await server.call('GET', '/user');
    await server.call('GET', '/stores');
    await server.database.bookkeeping.flush();
    const { failing } = await read<Health>(ofOne, '/health');
    const early = failing.find(({ code }) => code !== 1101 && code !== 1014);
    assert(early !== undefined);
    assert.deepEqual([early.calls, early.all_calls], [0, counted]);
    await flush();
    const later = (await read<Health>(ofOne, '/health')).failing.find(({ code }) => code === early.code);
    assert.deepEqual(later, { ...early, operation: 'query-user', calls: 2, all_calls: counted + 3 });
  });

  test('an application that failed and was then revoked is named as revoked', async () => {
    const { appId } = applications.reader;
    await server.call('GET', '/user?username=nobody', undefined, { as: applications.reader });
    await flush();
    const revoked = async () => {
      const { failing } = await read<Health>(ofOne, '/health');
      return failing.filter(({ revoked }) => revoked).map(({ app_id }) => app_id);
    };
    assert.deepEqual(await revoked(), []);
    await ofAll.succeed('DELETE', `/tenants/${server.tenantId}/applications`, { app_id: appId });
    assert.deepEqual(await revoked(), [appId]);
  });

  // The last one, because its calls are counted too.
  test('failed calls of a time begin with its first moment, end before its last, and are read page by page', async () => {
    const start = server.nowMs;
    const times = [60_000, 120_000, 180_000].map((laterMs) => start + laterMs);
    for (const atMs of times) {
      server.nowMs = atMs;
      await server.call('GET', '/role?id=4040404');
      await server.call('GET', '/role?id=4040405');
    }
    server.nowMs = start;
    await flush();
    const [first = 0, second = 0, third = 0] = times;
    const list = (query: string) => read<FailedCalls>(ofOne, `/failed-calls?${query}`);
    const timesOf = async (query: string) => (await list(query)).calls.map(({ at }) => Number(at));
    assert.deepEqual(await timesOf(`since=${second}`), [third, third, second, second]);
    assert.deepEqual(await timesOf(`since=${first}&until=${third}`), [second, second, first, first]);
    assert.deepEqual(await timesOf(`since=${second}&until=${second}`), []);
    assert.deepEqual(await timesOf(`since=${third}&until=${first}`), []);
    assert.ok((await timesOf(`until=${second}`)).every((at) => at <= first));
    assert.deepEqual(await timesOf(`since=${first}&code=1101`), []);
    const furthest = [`-${2n ** 63n}`, `${2n ** 63n - 1n}`];
    assert.deepEqual(await list(`since=${furthest[0]}&until=${furthest[1]}`), await list(''));
    assert.deepEqual(await timesOf(`since=${furthest[1]}`), []);
    const [one] = (await list(`since=${second}`)).calls.slice(-1);
    assert.deepEqual((await list(`request_id=${one?.request_id}&since=${second}&until=${third}`)).calls, [
      one,
    ]);
    assert.deepEqual((await list(`request_id=${one?.request_id}&since=${third}`)).calls, []);
    assert.deepEqual((await list(`request_id=${one?.request_id}&until=${second}`)).calls, []);
    const page = await list(`since=${first}&until=${third}&limit=1`);
    const rest = await list(`since=${first}&until=${third}&cursor=${page.next_cursor}`);
    assert.deepEqual([...page.calls, ...rest.calls], (await list(`since=${first}&until=${third}`)).calls);
    assert.deepEqual(
      await timesOf(`until=${second}&cursor=${page.next_cursor}`),
      await timesOf(`until=${second}`),
    );
  });
});
