import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Problem, problemInEnglish } from '@fieldroster/contract/problems';
import { ClaimsPurgedError } from '../../../server/src/database/claims.ts';
import { tooManyBound } from '../../../server/src/directory/too-many-bound.ts';
import { explainRefusal } from '../../../server/src/pipeline/failures/explain-refusal.ts';
import { toFailure } from '../../../server/src/pipeline/failures/to-failure.ts';
import { int32Reader, readInt64 } from '../../../server/src/pipeline/steps/input/read-integer.ts';
import { enumReader, stringReader } from '../../../server/src/pipeline/steps/input/read-text.ts';
import { parseQuery, sayQueryFault } from '../../../signing/src/canonical-resource.ts';
import { readSigningHeaders } from '../../../signing/src/read-signing-headers.ts';
import { en } from './en.ts';
import { problemsOfCalls, sayAnswer } from './say-answer.ts';
import { sayProblem } from './say-problem.ts';
import { zh } from './zh.ts';

const chinese = { language: 'zh', texts: zh } as const;

const values = {
  field: 'users[3].role_id',
  value: '"x, y"',
  min: '-9223372036854775808',
  max: '9223372036854775807',
  count: 12_000,
  character: 'U+00A0',
  words: ['active', 'disabled'],
  codes: ['"N-001"', '"N-002"'],
  more: 0,
  id: '9007199254740993',
  parent: '11',
  username: '"mara.okafor"',
  code: '"N-001"',
  bytesPerSecond: 1024,
  seconds: 42,
  text: '&user_id=',
};

test('the problem of a signed call is read from its English answer, and said with its values', () => {
  for (const key of problemsOfCalls) {
    const problem = { key, values } as unknown as Problem;
    const message = problemInEnglish(problem);
    const said = sayAnswer(chinese, message);
    // Two English sentences are alike; their Chinese ones are too.
    assert.equal(said, sayProblem(zh, { message, problem }), message);
  }
});

/** Returns what is wrong with the headers of a signature. */
function readHeaders({ authorization, timestamp, nonce }: Partial<Record<string, string>>) {
  const read = readSigningHeaders({ authorization, timestamp, nonce }, 36);
  assert('outcome' in read);
  return read;
}

test('a request that does not verify is explained with its numbers', () => {
  const at = {
    appId: 'app',
    timestampSeconds: 1_700_000_000,
    nowSeconds: 1_700_000_100,
    differenceSeconds: 100,
  };
  const cases = [
    [
      explainRefusal({ outcome: 'expired', ...at }),
      '时间戳比服务器时间慢 100 秒，最多允许相差 60 秒。请用 NTP 校准应用所在机器的时钟，并在发送前才签名。',
    ],
    [
      explainRefusal(
        { outcome: 'expired', ...at, timestampSeconds: at.nowSeconds - 3_600 },
        { isWrite: true },
      ),
      '时间戳比服务器时间慢 3600 秒，最多允许相差 60 秒。相差像是时区所致，应发送自 1970-01-01 UTC 起的秒数，而不是本地时间。如果这是重试，请先确认上一次是否已经生效。',
    ],
    [
      explainRefusal({ outcome: 'expired', ...at, timestampSeconds: 1_700_000_000_000 }),
      '时间戳比服务器时间快 1698299999900 秒，最多允许相差 60 秒。看起来是毫秒，应发送秒。',
    ],
    [
      explainRefusal({ outcome: 'expired', ...at, timestampSeconds: 20_231_114_221_320 }),
      '时间戳比服务器时间快 20229414221220 秒，最多允许相差 60 秒。看起来是写成数字的日期和时间，应发送自 1970-01-01 UTC 起的秒数。',
    ],
    [
      explainRefusal(
        { outcome: 'expired', ...at, timestampSeconds: 1_700_000_020 },
        { clockDifferenceMs: 25_000 },
      ),
      '时间戳比服务器时间慢 80 秒，最多允许相差 60 秒。服务器的时钟与其数据库的时钟不一致，可能是服务器的时钟有误。',
    ],
    [
      explainRefusal({ outcome: 'unknown-application', appId: 'revoked' }),
      '没有 APPID 为 "rev…" 的应用，或者该应用已被吊销。',
    ],
    [
      explainRefusal({
        outcome: 'malformed-header',
        header: 'Nonce',
        problem: 'is missing; expected 1 to 36 characters',
      }),
      '缺少请求头 Nonce。',
    ],
    [explainRefusal(readHeaders({})), '缺少请求头 Authorization、Timestamp、Nonce。'],
    [explainRefusal(readHeaders({ authorization: 'cbs:app:x' })), '缺少请求头 Timestamp 和 Nonce。'],
    [
      explainRefusal(readHeaders({ authorization: 'cbs:app', timestamp: '1' })),
      '请求头 Authorization 有误，正确的格式是 cbs:<APPID>:<Signature>；此外还缺少其他签名请求头。',
    ],
    [
      explainRefusal(readHeaders({ authorization: 'cbs:app:x', timestamp: 'soon', nonce: 'n' })),
      '请求头 Timestamp 有误，应为 Unix 纪元以来的整秒数，即 1 到 16 位数字。',
    ],
  ] as const;
  for (const [{ message }, said] of cases) assert.equal(sayAnswer(chinese, message), said);
});

test('a write whose record was purged is explained with its Timestamp, and after a restore with the wait', () => {
  const purged = new ClaimsPurgedError(1_700_000_060, 1_700_000_360);
  const cases = [
    [
      1_700_000_100_000,
      '时间戳 1700000000 过早，无法判断请求是否处理过：截至时间戳 1700000300 的请求记录已清除。恢复备份后，写操作会暂时被拒绝，请在 201 秒后重新签名发送。如果没有恢复过备份，请用 fieldroster claims status 检查各服务器的时钟。',
    ],
    [
      1_700_000_400_000,
      '时间戳 1700000000 过早，无法判断请求是否处理过：截至时间戳 1700000300 的请求记录已清除。请按当前时间重新签名发送；如果仍被拒绝，请用 fieldroster claims status 检查各服务器的时钟。',
    ],
  ] as const;
  for (const [nowMs, said] of cases)
    assert.equal(sayAnswer(chinese, toFailure(purged, 'id', nowMs).message), said);
});

test('a value of a wrong kind is named by its kind, and one of a right kind is quoted', () => {
  const order = int32Reader({ type: 'integer', minimum: 0, maximum: 5 });
  const gender = int32Reader({ type: 'integer', enum: [0, 1, 2] });
  const status = enumReader(['active', 'disabled']);
  const all64Bits = '-9223372036854775808 到 9223372036854775807 之间的整数';
  const cases = [
    [order, 'order', 9, '“排序”是 9，必须是 0 到 5 之间的整数。'],
    [order, 'order', '3', '“排序”必须是 0 到 5 之间的整数，发送时数字不加引号。'],
    [order, 'order', 'x', '“排序”必须是 0 到 5 之间的整数，收到的是文本。'],
    [order, 'order', null, '“排序”必须是 0 到 5 之间的整数，收到的是 null。'],
    [order, 'order', {}, '“排序”必须是 0 到 5 之间的整数，收到的是 JSON 对象。'],
    [order, 'order', 1e-7, '“排序”是 1e-7，必须是 0 到 5 之间的整数。'],
    [order, 'order', Number.NaN, '“排序”必须是 0 到 5 之间的整数，收到的是双精度无法准确表示的小数。'],
    [readInt64, 'id', 1e30, `“ID”约为 1e+30，必须是 ${all64Bits}，并且只能写成数字，不能带指数或小数。`],
    [readInt64, 'id', 10n ** 60n, `“ID”是 1${'0'.repeat(49)}…，必须是 ${all64Bits}。`],
    [readInt64, 'id', Number.POSITIVE_INFINITY, `“ID”必须是 ${all64Bits}，收到的是超出双精度范围的数。`],
    [readInt64, 'id', 1.5, '“ID”必须是整数，收到的是 1.5。'],
    [readInt64, 'id', true, '“ID”必须是整数，收到的是布尔值。'],
    [gender, 'gender', 7, '“性别”必须是 0、1 或 2，收到的是 7。'],
    [gender, 'gender', '1', '“性别”必须是 0、1 或 2，发送时数字不加引号。'],
    [status, 'status', 1, '“状态”必须是以下之一：active、disabled。收到的是数字。'],
    [status, 'status', true, '“状态”必须是以下之一：active、disabled。收到的是布尔值。'],
    [status, 'status', [], '“状态”必须是以下之一：active、disabled。收到的是列表。'],
    [status, 'status', {}, '“状态”必须是以下之一：active、disabled。收到的是 JSON 对象。'],
    [status, 'status', null, '“状态”必须是以下之一：active、disabled。收到的是 null。'],
    [status, 'status', 'it is a number', '“状态”是 "it is a number"，必须是以下之一：active、disabled。'],
    [stringReader({ type: 'string' }), 'name', [], '“名称”必须是文本（加引号的字符串），收到的是列表。'],
  ] as const;
  for (const [read, field, value, said] of cases) {
    assert.throws(
      () => read(value, field),
      ({ message }: Error) => {
        assert.equal(sayAnswer(chinese, message), said, message);
        return true;
      },
    );
  }
});

/** Returns what the server says of a target that so many users are bound to. */
function bound(name: string, users: number): string {
  const message = tooManyBound({ name, moveRest: '', users, force: false });
  assert(message !== undefined);
  return message;
}

test('a target in use is said with its numbers', () => {
  const cases = [
    [bound('role 7', 1), '角色 7 仍有 1 位用户。'],
    [bound('role 7', 12), '角色 7 仍有 12 位用户。'],
    [bound('organization 20', 1), '组织 20 仍有 1 位用户。'],
    [
      'organization 20 has 3 users and 1 organization below it; move those below it first',
      '组织 20 中有 3 位用户，下面还有 1 个下级组织。',
    ],
    [
      'organization 20 has 1 organization below it; move those below it first',
      '组织 20 下面还有 1 个下级组织。',
    ],
    [
      'organization 20 has 2 organizations below it; move those below it first',
      '组织 20 下面还有 2 个下级组织。',
    ],
    ['organization 20 cannot be its own parent', '组织 20 不能以自身为上级。'],
    ['the user "mara" is disabled; PUT /user/status makes a user active again', '用户 "mara" 已停用。'],
    [
      'this path does not support POST; it supports GET; POST /users/batch takes many users',
      '此路径不支持 POST，支持的方法：GET。',
    ],
    [bound('store "N-001"', 2), '门店 "N-001" 仍由 2 位用户负责。'],
    [bound('store "A has B C"', 2), undefined],
    [
      'the batch would leave its users at least 200005 stores fewer, and one request may take at most 200000: send fewer users at once',
      '这些用户的门店合计至少会减少 200005 家，一次最多可减少 200000 家。请减少一次提交的用户数。',
    ],
    [
      'organization 20 has more than 50000 users; force=true unbinds at most 50000: give the rest another organization first, by POST /users/batch',
      '用户超过 50000 位，一次最多可解绑 50000 位。请先移走其余用户。',
    ],
    [
      'organization 20 has more than 50000 users and 1 organization below it; move those below it first',
      '组织 20 中的用户超过 50000 位，下面还有 1 个下级组织。',
    ],
  ] as const;
  for (const [message, said] of cases) assert.equal(sayAnswer(chinese, message), said);
});

test('a query that cannot be read is explained with its parameter', () => {
  const cases = [
    ['username=%zz', '参数 "username" 的值中，"%zz" 处的“%”后面不是两位十六进制数字。'],
    ['username=a%FF', '参数 "username" 的值从 "%FF" 起不是 UTF-8 编码。'],
    ['%zz', '查询中有一段没有值的文字中的“%”后面不是两位十六进制数字。'],
    ['a%FF', '查询中有一段没有值的文字不是 UTF-8 编码。'],
    ['a%26b', '查询中有一段没有值的文字解码后含有“=”、“&”或控制字符，参数名中不能有这些字符。'],
    ['&a'.repeat(256), '查询参数超过 256 个，请减少参数。'],
    ['a%26b=1', '参数名 "a&b" 含有“=”、“&”或控制字符，参数名中不能有这些字符。'],
  ] as const;
  for (const [query, said] of cases) {
    assert.throws(
      () => parseQuery(query, 'space'),
      ({ message }: Error) => {
        assert.equal(sayAnswer(chinese, message), said, message);
        return true;
      },
    );
  }
});

test('a query that cannot be read is explained without what may be part of a password', () => {
  const cases = [
    [{ kind: 'loose-percent', parameter: '"a"' }, '参数 "a" 的值中，“%”后面不是两位十六进制数字。'],
    [{ kind: 'not-utf8', parameter: '"a"' }, '参数 "a" 的值不是 UTF-8 编码。'],
    [{ kind: 'loose-percent' }, '有一个参数名中的“%”后面不是两位十六进制数字。'],
    [{ kind: 'not-utf8' }, '有一个参数名不是 UTF-8 编码。'],
  ] as const;
  for (const [fault, said] of cases) assert.equal(sayAnswer(chinese, sayQueryFault(fault)), said);
});

test('an unknown parameter without a value is said without its name', () => {
  const cases = [
    ['takes none', '有一个没有值的查询参数未知，此操作不接受任何查询参数。'],
    ['knows org_id, role_id', '有一个没有值的查询参数未知，此操作接受的参数：org_id、role_id。'],
  ] as const;
  for (const [accepted, said] of cases)
    assert.equal(
      sayAnswer(chinese, `a query parameter without a value is not known; this operation ${accepted}`),
      said,
    );
});

test('a parameter that would have been misread is said with what to send', () => {
  const cases = [
    [
      'user_id or username is required; here the id is sent as user_id, not as id',
      '缺少“用户 ID”或“用户名”。此操作中 ID 的字段名是 user_id。',
    ],
    [
      'if_revision must not be empty; leave it out, or give it a value',
      '“if_revision”不能为空，请去掉该参数或给出值。',
    ],
    [
      'since must be in milliseconds; 1767225600 looks like seconds: send 1767225600000',
      '“since”的单位是毫秒，1767225600 像是秒，应发送 1767225600000。',
    ],
    [
      'since must be in milliseconds; 20261130 looks like a date: send 1795996800000, which is 2026-11-30T00:00:00.000Z',
      '“since”的单位是毫秒，20261130 像是日期，应发送 1795996800000（2026-11-30T00:00:00.000Z）。',
    ],
    [
      'updated_since must be in milliseconds; 1795943768793478 looks like microseconds: send 1795943768793',
      '“updated_since”的单位是毫秒，1795943768793478 像是微秒，应发送 1795943768793。',
    ],
    [
      "since is 9795943768793, more than a day ahead of the server's clock, which is at 1795943768793; send an earlier time, in milliseconds",
      '“since”是 9795943768793，比服务器时钟（1795943768793）快一天以上。请发送更早的时间，单位是毫秒。',
    ],
    [
      'if_revision must be an integer in decimal digits; it is "\\"3\\"": send the digits without quotes',
      '“if_revision”是 "\\"3\\""，必须是整数，发送时数字不加引号。',
    ],
    [
      'cursor must be the next_cursor that this operation returned, unchanged, with the same filters and order; to begin the list again, leave cursor out',
      'cursor 必须是此操作返回的 next_cursor，原样发送，筛选条件和排序也要相同。要从头列出，请去掉 cursor。',
    ],
  ] as const;
  for (const [message, said] of cases) assert.equal(sayAnswer(chinese, message), said);
});

test('an answer without a text here is left to its own words, and every answer in English', () => {
  assert.equal(sayAnswer(chinese, 'something new that a later release says'), undefined);
  assert.equal(sayAnswer(chinese, 'order must be an integer from 0 to 5; it is some other kind'), undefined);
  assert.equal(
    sayAnswer(chinese, 'status must be one of active, disabled; it is some other kind'),
    undefined,
  );
  assert.equal(sayAnswer(chinese, 'a longer sentence whose end is required'), undefined);
  assert.equal(sayAnswer(chinese, 'this sentence or that one is required'), undefined);
  assert.equal(sayAnswer({ language: 'en', texts: en }, 'no user has id 7'), undefined);
});
