import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Operation, operations } from '@fieldroster/contract';
import { Type } from 'typebox';
import { startTestServer } from '../../../../test/test-server.ts';
import type { Call } from '../../call.ts';
import { parsedAtOnceMax } from './parse-body.ts';
import { inputParser } from './parse-input.ts';

const server = await startTestServer();
after(() => server.close());

const id = await server.createUser('parsed');

const contentTypes = [
  'application/json',
  'APPLICATION/JSON',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'application/json; charset="utf-8"',
  'application/json;',
];

for (const contentType of contentTypes) {
  test(`the content type ${contentType} is read as JSON`, async () => {
    const headers = { 'Content-Type': contentType };
    await server.succeed('PUT', '/user', { id, nickname: 'N' }, { headers });
  });
}

test('a body without a content type is read as JSON', async () => {
  await server.succeed('PUT', '/user', { id, nickname: 'N' }, { headers: { 'Content-Type': undefined } });
});

const padded = `application/json${' '.repeat(100)};${' '.repeat(100)}charset=utf-8`;

test('a content type may have white space around its parts', async () => {
  await server.succeed('PUT', '/user', { id, nickname: 'N' }, { headers: { 'Content-Type': padded } });
});

const refusedTypes = [
  'application/json; charset=utf-8; charset=utf-8',
  `application/json;${' '.repeat(256)}charset=utf-8`,
  `application/json${';'.repeat(15_000)}`,
  'text/plain',
  'text/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=gbk',
  'application/json-patch+json',
  'application/jsonx',
  'application/json, text/plain',
  'nonsense',
];

for (const contentType of refusedTypes) {
  test(`the content type ${contentType.slice(0, 60)} is 1003`, async () => {
    const headers = { 'Content-Type': contentType };
    const { envelope } = await server.refuse(
      1003,
      /; it must be application\/json \(in UTF-8\), or left out$/,
      ['PUT', '/user', { id, nickname: 'N' }, { headers }],
    );
    const shown = JSON.stringify(contentType.slice(0, 60));
    assert(envelope.message.startsWith(`Content-Type is ${shown};`), envelope.message);
  });
}

test('an invisible character in a content type is written out', async () => {
  // Sent as UTF-8, but HTTP reads the bytes of a header as Latin-1.
  const headers = { 'Content-Type': 'application/\u00a0json' };
  await server.refuse(1003, /^Content-Type is "application\/Â\\u00a0json"; /, [
    'PUT',
    '/user',
    {},
    { headers },
  ]);
});

for (const encoding of ['gzip', 'br', 'identity']) {
  test(`a Content-Encoding of ${encoding} is 1003`, async () => {
    await server.refuse(1003, /^Content-Encoding is "[a-z]+"; send the body as it is, without that header$/, [
      'PUT',
      '/user',
      { id, nickname: 'N' },
      { headers: { 'Content-Encoding': encoding } },
    ]);
  });
}

const notJson = (how: string) => new RegExp(`^the body is not JSON: it ${how}; let a JSON library write it$`);

const odd = (how: string) => new RegExp(`^${RegExp.escape(`the body is not JSON: it ${how}`)}$`);

const multipart = '--x\r\nContent-Disposition: form-data; name="id"\r\n\r\n1\r\n--x--\r\n';

const twice =
  /^the body must be a JSON object; it is a string that contains JSON; serialize the object once$/;

const notAnObject: readonly (readonly [label: string, body: string | Uint8Array, message: RegExp])[] = [
  ['no bytes', '', /^the body is empty; it must be a JSON object$/],
  ['white space alone', ' \n', notJson('ends too early, after 2 characters')],
  ['an array', '[]', /^the body must be a JSON object; it is an array$/],
  ['null', 'null', /^the body must be a JSON object; it is null$/],
  ['a string', '"x"', /^the body must be a JSON object; it is a string$/],
  ['a number', '1', /^the body must be a JSON object; it is a number$/],
  ['a form', 'username=x&password=y', odd('is a form (a=b&c=d); send a JSON object: {"a":"b","c":"d"}')],
  ['a form of one field', 'id=1', odd('is a form (a=b&c=d); send a JSON object: {"a":"b","c":"d"}')],
  ['two parts', multipart, odd('is a multipart form; send a JSON object in place of its parts')],
  ['gzip', gzipSync('{"id":1}'), odd('is compressed with gzip; send it uncompressed')],
  ['markup', '<user><id>1</id></user>', odd('is XML or HTML; send a JSON object')],
  ['percent-encoded JSON', '%7B%22id%22%3A1%7D', odd('is percent-encoded; send the JSON itself')],
  ['JSON in Base64', btoa('{"id":1}'), odd('is encoded in Base64; send the JSON itself')],
  [
    'the name of a file',
    '@user.json',
    odd('begins with @, as the name of a file does that was not read; send what is in the file'),
  ],
  [
    'an object as text',
    '[object Object]',
    odd('is the text [object Object]; send what JSON.stringify returns'),
  ],
  ['a string with JSON', JSON.stringify('{"id":1}'), twice],
  ['a long string with JSON', JSON.stringify(JSON.stringify({ id, x: 'x'.repeat(16_384) })), twice],
  [
    'an array with one object',
    '[{"id":1}]',
    /^the body must be a JSON object; it is an array; send its only entry, without the brackets$/,
  ],
  ...['[null]', '[1]', '["x"]', '[[{"id":1}]]', '[{"id":1},{"id":2}]'].map(
    (body) => [`the array ${body}`, body, /^the body must be a JSON object; it is an array$/] as const,
  ),
  ['an unfinished object', '{"id":1', notJson('ends too early, after 7 characters')],
  ['an unfinished word', '{"id":nul', notJson('ends too early, after 9 characters')],
  ['None of Python', '{"张":"\\n","id":None,"a":[]}', notJson('breaks after 15 characters')],
  ['a trailing comma', '{"id":1,}', notJson('breaks after 8 characters')],
  [
    'single quotes',
    "{'id':1}",
    odd('has names in single quotes; JSON has double quotes: let a JSON library write it'),
  ],
  ['a second value', '{"id":1} {}', notJson('breaks after 9 characters')],
  ['NaN', '{"id":NaN}', notJson('breaks after 6 characters')],
  ['a leading zero', '{"id":01}', notJson('breaks after 7 characters')],
  ['bytes that are not UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d), /UTF-8/],
  ['text in GBK', Buffer.from('7b2261223a22d5c5227d', 'hex'), /UTF-8/],
  ['text in UTF-16', Buffer.from('{"id":1}', 'utf16le'), odd('is encoded in UTF-16; encode it in UTF-8')],
  [
    'text in big-endian UTF-16',
    Buffer.from('{"id":1}', 'utf16le').swap16(),
    odd('is encoded in UTF-16; encode it in UTF-8'),
  ],
  [
    'marked text in UTF-16',
    Buffer.from('\ufeff{"张":1}', 'utf16le'),
    odd('is encoded in UTF-16; encode it in UTF-8'),
  ],
  [
    'much text in UTF-16',
    Buffer.from(`{"x":"${'x'.repeat(16_384)}"}`, 'utf16le'),
    odd('is encoded in UTF-16; encode it in UTF-8'),
  ],
];

test('an array of anything but one object in place of the object of POST /user/stores is 1002, which says where it belongs', async () => {
  const message =
    /^the body must be a JSON object; it is an array; send {"store_codes":…} with the array in it$/;
  for (const body of ['["N-001"]', '["N-001","N-002"]', '[]', '[1,2]', '[null]', '[[]]', '[{},{}]'])
    await server.refuse(1002, message, ['POST', '/user/stores', body]);
  await server.refuse(1002, /; send its only entry, without the brackets$/, ['POST', '/user/stores', '[{}]']);
});

for (const [path, fields] of [
  ['/users/batch', '"users"'],
  ['/stores', '"stores"'],
] as const) {
  test(`an array in place of the object of POST ${path} is 1002, which says where it belongs`, async () => {
    const message = new RegExp(
      `^the body must be a JSON object; it is an array; send {${fields}:…} with the array in it$`,
    );
    for (const count of [1, 2, 2_000])
      await server.refuse(1002, message, [
        'POST',
        path,
        JSON.stringify(Array.from({ length: count }, () => ({ username: 'u' }))),
      ]);
  });
}

for (const [label, body, message] of notAnObject) {
  test(`a body of ${label} is 1002`, async () => {
    await server.refuse(1002, message, ['PUT', '/user', body]);
  });
}

test('an unparsable body is not quoted, since it may hold a password', async () => {
  const { envelope } = await server.call('PUT', '/user', '{"password":"s3cret",}');
  assert(!envelope.message.includes('s3cret'));
});

test('a body of any kind and length is nested at most 1000 levels deep', async () => {
  const forms = { arrays: ['[', ']'], objects: ['{"a":', '}'] } as const;
  for (const [opening, closing] of Object.values(forms)) {
    for (const inner of ['1', '9007199254740993', '"[[{"', '"\\"[[{\\\\"']) {
      const nested = (levels: number) =>
        `{"id":${id},"x":${opening.repeat(levels)}${inner}${closing.repeat(levels)}}`;
      await server.succeed('PUT', '/user', nested(999));
      for (const levels of [1000, 150_000]) {
        await server.refuse(1002, /^the body is nested more than 1000 levels deep/, [
          'PUT',
          '/user',
          nested(levels),
        ]);
      }
    }
  }
});

test('brackets beside each other, or in a string, do not count as levels', async () => {
  const body = {
    id,
    x: Array.from({ length: 1500 }, () => [{}]),
    y: '[{'.repeat(1500),
    z: '\\"['.repeat(1500),
  };
  await server.succeed('PUT', '/user', body);
});

test('keys come in any order, with any white space, with or without escapes', async () => {
  const forms = [
    `{"nickname":"\u5f20","id":${id}}`,
    `\n{ "id" : ${id} ,\r\n\t"nickname" : "\\u5f20" }\n`,
    `{"\\u0069d":${id},"nickname":"\\u5F20"}`,
  ];
  for (const body of forms) {
    await server.succeed('PUT', '/user', { id, nickname: '' });
    await server.succeed('PUT', '/user', body);
    assert.equal((await server.queryUser(id)).nickname, '张');
  }
});

test('an escaped pair of surrogates is one character; an unpaired one is 1001', async () => {
  await server.succeed('PUT', '/user', `{"id":${id},"nickname":"\\ud83e\\udd9c"}`);
  assert.equal((await server.queryUser(id)).nickname, '🦜');
  await server.refuse(1001, /surrogate/, ['PUT', '/user', `{"id":${id},"nickname":"\\ud83e"}`]);
});

test('names that every object inherits do not count as fields', async () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    await server.succeed('PUT', '/user', `{"id":${id},"${name}":{"nickname":"planted","username":1}}`);
  }
  const body = '{"__proto__":{"id":1,"username":"parsed"}}';
  await server.refuse(1001, /^id or username is required; /, ['PUT', '/user', body]);
});

test('an integer above 2^53 in an ignored field does no harm', async () => {
  await server.succeed('PUT', '/user', `{"id":${id},"unknown":9007199254740993}`);
});

test('an integer in place of a string is not read as one, however long', async () => {
  await server.refuse(1001, /^phone must be a string; it is a number$/, [
    'PUT',
    '/user',
    `{"id":${id},"phone":13800138000138000138}`,
  ]);
});

const longestType = `application/json;${' '.repeat(226)}charset=utf-8`;

test('a content type may have 256 characters', async () => {
  assert.equal(longestType.length, 256);
  const body = { id, nickname: 'N' };
  await server.succeed('PUT', '/user', body, { headers: { 'Content-Type': longestType } });
  const headers = { 'Content-Type': longestType.replace(';', '; ') };
  await server.refuse(1003, /^Content-Type/, ['PUT', '/user', body, { headers }]);
});

const jsonCall = {} as Call;

const readParameters = inputParser({
  ...operations.listAuditEvents,
  query: Type.Object({
    text: Type.Optional(Type.String()),
    flag: Type.Optional(Type.Boolean()),
    small: Type.Optional(Type.Integer({ format: 'int32' })),
    large: Type.Optional(Type.Unsafe<bigint>({ type: 'integer', format: 'int64' })),
  }),
});

const read = (name: string, value: string) => readParameters(jsonCall, [{ name, value }]);

test('a parameter is read as the type of its schema', () => {
  assert.deepEqual(read('text', 'true'), { text: 'true' });
  assert.deepEqual(read('flag', 'true'), { flag: true });
  assert.deepEqual(read('flag', 'false'), { flag: false });
  assert.deepEqual(read('small', '-12'), { small: -12 });
  assert.deepEqual(read('small', '+12'), { small: 12 });
  assert.deepEqual(read('large', '9007199254740993'), { large: 9007199254740993n });
  assert.deepEqual(read('large', '+7'), { large: 7n });
});

test('an empty parameter of an extension or a DELETE is 1001, whatever its type', async () => {
  for (const name of ['text', 'flag', 'small', 'large']) {
    const message = `${name} must not be empty; leave it out, or give it a value`;
    assert.throws(() => read(name, ''), { code: 1001, message });
  }
  const before = await server.snapshot();
  for (const [method, target, name] of [
    ['DELETE', `/user?user_id=${id}&if_revision=`, 'if_revision'],
    ['DELETE', '/store?code=S003&force', 'force'],
    ['DELETE', '/role?id=7&if_revision=&force=true', 'if_revision'],
    ['GET', '/users?unbound=', 'unbound'],
    ['GET', '/users?status=&limit=5', 'status'],
    ['GET', '/audit?user_id=', 'user_id'],
  ] as const) {
    await server.refuse(1001, new RegExp(`^${name} must not be empty; leave it out, `), [method, target]);
  }
  assert.deepEqual(await server.snapshot(), before);
});

test('an empty parameter counts as absent in a query of a user, beside another identifier, and as a cursor', async () => {
  await server.succeed('GET', `/user?user_id=${id}&username=`);
  await server.succeed('GET', '/user?user_id=&username=parsed');
  await server.succeed('GET', '/users?cursor=&limit=1');
  await server.createUser('emptied');
  await server.succeed('DELETE', '/user?user_id=&username=emptied');
  const neither = /^user_id or username is required/;
  await server.refuse(1001, neither, ['DELETE', '/user?user_id=&username=']);
});

const cut = (value: string) => (value.length > 50 ? `${value.slice(0, 50)}…` : value);

test('a parameter that is not of its type is 1001, and the message says which it is', () => {
  for (const value of ['yes', '1', 'TRUE', ' true']) {
    assert.throws(() => read('flag', value), {
      code: 1001,
      message: `flag must be true or false; it is "${value}"`,
    });
  }
  for (const name of ['small', 'large']) {
    for (const value of ['x', '1.5', '0x10', '1e3', ' 1', '--1', `1.${'1'.repeat(50)}`]) {
      assert.throws(() => read(name, value), {
        code: 1001,
        message: `${name} must be an integer in decimal digits; it is "${cut(value)}"`,
      });
    }
  }
});

test('digits in quotes, such as those of an ETag, are 1001, and the message says to send them without', async () => {
  const advice = 'send the digits without quotes';
  const message = `large must be an integer in decimal digits; it is "\\"3\\"": ${advice}`;
  assert.throws(() => read('large', '"3"'), { code: 1001, message });
  for (const value of ['"3', '"x"', '""', '"'])
    assert.throws(
      () => read('large', value),
      ({ message }: Error) => !message.includes(advice),
    );
  const update = ['PUT', '/user', { id, nickname: 'N', if_revision: '"3"' }] as const;
  await server.refuse(
    1001,
    new RegExp(`^if_revision must be an integer; it is a string: ${advice}$`),
    update,
  );
});

test('a parameter of any number of digits is an integer, and too large a one is named with its limits', () => {
  const zeros = '0'.repeat(60);
  assert.deepEqual(read('large', `-${zeros}7`), { large: -7n });
  assert.deepEqual(read('small', `${zeros}7`), { small: 7 });
  for (const digits of [20, 50, 51, 16_000]) {
    const value = '9'.repeat(digits);
    assert.throws(() => read('large', value), {
      code: 1001,
      message: `large must be an integer from -9223372036854775808 to 9223372036854775807; it is ${cut(value)}`,
    });
    assert.throws(() => read('small', value), {
      code: 1001,
      message: `small must be an integer from -2147483648 to 2147483647; it is ${cut(value)}`,
    });
  }
});

test('a body of 16 KiB is read at once, and a larger one in slices of time, with the parameters beside it', async () => {
  const parse = inputParser({
    ...operations.updateUser,
    query: Type.Object({ text: Type.String() }),
    body: Type.Object({ nickname: Type.String() }),
  });
  const parseLong = (length: number) => {
    const bytes = Buffer.from('{"nickname":"N"}'.padEnd(length));
    return parse(jsonCall, [{ name: 'text', value: 'T' }], { bytes });
  };
  assert.equal(parsedAtOnceMax, 16_384);
  assert.deepEqual(parseLong(16_384), { text: 'T', nickname: 'N' });
  const large = parseLong(16_385);
  assert(large instanceof Promise);
  assert.deepEqual(await large, { text: 'T', nickname: 'N' });
});

test('every schema of the contract has a reader for each of its keywords', () => {
  for (const operation of Object.values(operations)) inputParser(operation);
});

test('a schema keyword that nothing enforces stops the server at its start', () => {
  const operation = structuredClone(operations.queryUserRole) as Operation;
  Object.assign(operation.query?.properties.user_id ?? {}, { multipleOf: 2 });
  assert.throws(() => inputParser(operation), /TypeError: .*multipleOf/);
});

const extensionsAndDeletes = Object.values(operations).filter(
  ({ method, ...operation }) => method === 'DELETE' || !('number' in operation),
);

for (const { method, path, ...operation } of extensionsAndDeletes) {
  test(`${method} ${path} refuses an unknown query parameter and names the known ones`, async () => {
    const names = 'query' in operation ? Object.keys(operation.query.properties) : [];
    const known = names.length === 0 ? 'takes none' : `knows ${names.join(', ')}`;
    const given = names.map((name) => `${name}=1`).join('&');
    const body = 'body' in operation ? {} : undefined;
    const message = new RegExp(`^the query parameter "User_Id" is not known; this operation ${known}$`);
    await server.refuse(1001, message, [method, `${path}?${given}&User_Id=${id}`, body]);
  });
}

for (const [method, target, body] of [
  ['GET', `/user?user_id=${id}&name=x`],
  ['GET', `/user/role?user_id=${id}&name=x`],
  ['GET', `/user/store?user_id=${id}&name=x`],
  ['PUT', '/user?name=x', { id }],
  ['POST', '/user/stores?name=x', { username: 'parsed' }],
] as const) {
  test(`${method} ${target.split('?')[0]} ignores an unknown query parameter`, async () => {
    await server.succeed(method, target, body);
  });
}

for (const [target, body, name] of [
  ['/user', { user_id: id }, 'user_id'],
  ['/user?user_id=', { username: 'parsed' }, 'username'],
  ['/users', { org_id: 1 }, 'org_id'],
  ['/users?limit=5', { limit: 5, search: 'parsed' }, 'search'],
  ['/audit?limit=1', { user_id: id }, 'user_id'],
  ['/roles', { cursor: 'x' }, 'cursor'],
] as const) {
  test(`GET ${target} with ${name} only in the body is 1001, which says where it belongs`, async () => {
    const message = new RegExp(
      `^${name} is in the body; send it in the query; the body of this operation is not read$`,
    );
    await server.refuse(1001, message, ['GET', target, body]);
  });
}

for (const [target, body] of [
  [`/user?user_id=${id}`, { user_id: id, username: 'x' }],
  ['/users?limit=5', { limit: 7, search: null, org_id: 0, department: '', include_children: false, x: 1 }],
  ['/users?limit=5', '["search"]'],
  ['/users?limit=5', 'search=parsed'],
  ['/users?limit=5', 'null'],
  // Every string has a method of this name.
  ['/users?limit=5', '"search"'],
  ['/users?limit=5', JSON.stringify({ search: 'x'.repeat(16 * 1024) })],
] as const) {
  test(`GET ${target} overlooks a body such as ${JSON.stringify(body).slice(0, 40)}`, async () => {
    await server.succeed('GET', target, body);
  });
}

test('a body of up to 16 KiB is searched for misplaced values', async () => {
  const body = '{"search":"parsed"}'.padEnd(parsedAtOnceMax);
  await server.refuse(1001, /^search is in the body/, ['GET', '/users?limit=5', body]);
  await server.succeed('GET', '/users?limit=5', `${body} `);
});

test('a filter in the body is refused even when the answer without it is cached', async () => {
  const target = '/users?limit=11';
  for (let call = 0; call < 4; call += 1) await server.succeed('GET', target);
  await server.refuse(1001, /^search is in the body/, ['GET', target, { search: 'parsed' }]);
});

test('a GET without a required parameter, but with a body, is told where it belongs', async () => {
  const message = /^user_id is required in the query; the body of this operation is not read$/;
  await server.refuse(1001, message, ['GET', '/user/role', { user_id: id }]);
});

test('a GET without a required parameter and without a body is told only that the parameter is required', async () => {
  await server.refuse(1001, /^user_id is required$/, ['GET', '/user/role']);
});

for (const [method, target, body, name] of [
  ['POST', '/user?username=q&password=p', {}, 'username'],
  ['POST', '/user?password=p', { username: 'q' }, 'password'],
  ['POST', '/user?username=q', { username: '', password: 'p' }, 'username'],
  ['PUT', `/user?id=${id}`, { nickname: 'N' }, 'id'],
  ['PUT', '/user?username=parsed', { id: null, username: '', nickname: 'N' }, 'username'],
  ['POST', `/user/role?user_id=${id}&role_id=1`, {}, 'user_id'],
] as const) {
  test(`${method} ${target} is told to send in the body what ${JSON.stringify(body)} lacks`, async () => {
    const message = `${name} is in the query; send it in the body; the query of this operation is not read`;
    await server.refuse(1001, new RegExp(`^${message}$`), [method, target, body]);
  });
}

test('a POST without a body, but with its values in the query, is told where they belong', async () => {
  const message = /^the body is empty; username is in the query; send it in a JSON object$/;
  await server.refuse(1002, message, ['POST', '/user?username=q&password=p', '']);
  await server.refuse(1002, /^the body is empty; it must be a JSON object$/, ['POST', '/user?name=q', '']);
});

test('a required value that is missing, but has a similar name, is told apart from that name', async () => {
  const refused = (name: string, given: string) =>
    new RegExp(`^${name} is required; "${given}" is not read, because field names must match exactly$`);
  const created = { Username: 'go', Password: 'p' };
  await server.refuse(1001, refused('username', 'Username'), ['POST', '/user', created]);
  await server.refuse(1001, refused('user_id', 'userId'), ['POST', '/user/role', { userId: 1, roleId: 1 }]);
  await server.refuse(1001, refused('user_id', 'userId'), ['GET', `/user/role?userId=${id}`]);
  const answer = await server.call('POST', '/users/batch', { users: [{ userName: 'go' }] });
  assert.match(answer.text, /"users\[0\]\.username is required; \\"userName\\" is not read, /);
});

test('a parameter with the name of a field is overlooked beside the field, and when it is empty', async () => {
  await server.succeed('PUT', `/user?username=other&id=0&nickname=Q`, { id, nickname: 'N' });
  await server.refuse(1001, /^username is required$/, ['POST', '/user?username=', { password: 'p' }]);
  await server.refuse(1001, /^id or username is required; /, ['PUT', '/user?username=&user_id=1', {}]);
  await server.refuse(1101, /^no user has id 0$/, ['PUT', '/user?username=parsed', { id: 0 }]);
});

test('an unknown parameter is refused even without a value, and the message cuts off a long name', async () => {
  await server.refuse(1001, /^a query parameter without a value is not known; /, ['GET', '/audit?username']);
  await server.refuse(1001, /^the query parameter "username" is not known; /, ['GET', '/audit?username=a']);
  await server.refuse(1001, /^the query parameter "x{50}" is not known; /, [
    'GET',
    `/audit?${'x'.repeat(99)}=1`,
  ]);
  await server.succeed('GET', '/audit?&&limit=1&');
});

test('an invisible character in a parameter or its value is written out, so that the message shows what is wrong', async () => {
  const escaped = {
    [`/user/role?user_id%E2%80%8B=${id}`]: /^the query parameter "user_id\\u200b" is not known; /,
    '/user?user_id=7%C2%A0': /^user_id must be an integer in decimal digits; it is "7\\u00a0"$/,
    '/users?status=active%E2%80%8B': /^status must be one of active, disabled; it is "active\\u200b"$/,
    '/users?org_id=1&include_children=true%EF%BB%BF':
      /^include_children must be true or false; it is "true\\ufeff"$/,
  };
  for (const [target, message] of Object.entries(escaped)) {
    const method = target.startsWith('/user/role') ? 'DELETE' : 'GET';
    await server.refuse(1001, message, [method, target]);
  }
});

test('a repeated parameter is 1001', async () => {
  await server.refuse(1001, /^limit must be given once, not 2 times$/, ['GET', '/audit?limit=1&limit=1']);
  await server.refuse(1001, /^user_id must be given once/, ['GET', `/user?user_id=${id}&user_id=${id}`]);
});

test('an ampersand that HTML has escaped is 1001, which names it', async () => {
  const escaped =
    /^the query has "amp;(?:store_code|limit|username)", because the URL has &amp; in place of &; send & alone$/;
  for (const [method, target] of [
    ['DELETE', `/user/store?user_id=${id}&amp;store_code=S`],
    ['GET', '/users?status=active&amp;limit=5'],
    ['GET', '/user?&amp;username=parsed'],
    ['GET', '/audit?&amp;amp;limit=5'],
  ] as const)
    await server.refuse(1001, escaped, [method, target]);
  // The original operations overlook what is beside their parameters.
  await server.succeed('GET', `/user?user_id=${id}&amp;username=parsed`);
  await server.refuse(1001, /^the query parameter "amp;x" is not known;/, ['GET', '/users?&amp;x=1']);
});
