import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { collect, runCommand, startCommand, temporaryFolder } from '../../test/run-command.ts';

const folder = temporaryFolder();
const appSecret = 'a secret that both sides know';
const env = { FIELDROSTER_APP_SECRET: appSecret };

const headers = ['--timestamp', '1767225600', '--nonce', 'n1'];
const get = ['--method', 'get', '--url', 'http://127.0.0.1:1/user?b=x%20y&a=1', ...headers];
const getString = 'GET\n1767225600\nn1\n/user?a=1&b=x y';
const unsorted = 'GET\n1767225600\nn1\n/user?b=x y&a=1';

const explain = (...words: string[]) => runCommand(['explain', ...words], { env });
const sign = (text: string, secret = appSecret) => createHmac('sha256', secret).update(text).digest('base64');

describe('explain', { concurrency: 3 }, () => {
  test('shows both strings side by side and marks the first difference', async () => {
    const { exitCode, stdout, stderr } = await explain(...get, '--string-to-sign', unsorted);
    assert.deepEqual([exitCode, stderr], [1, '']);
    assert.deepEqual(stdout.split('\n'), [
      '                       expected         actual',
      'Method                 GET              GET',
      'Timestamp              1767225600       1767225600',
      'Nonce                  n1               n1',
      'CanonicalizedResource  /user?a=1&b=x y  /user?b=x y&a=1',
      'first difference             ^                ^',
      '',
      'The first difference is in line 4 (CanonicalizedResource), column 7.',
      'Likely cause: the query parameters were not sorted; sign them in ascending order of their names.',
      '',
    ]);
  });

  test('waits for a standard input that arrives slowly, and refuses to read it twice', async () => {
    const body = 'x'.repeat(4_000_000);
    const post = ['explain', '--method', 'POST', '--url', '/user', ...headers, '--data', '@-'];
    const md5 = createHash('md5').update(body).digest('base64');
    const right = `POST\n${md5}\n1767225600\nn1\n/user`;
    const child = startCommand([...post, '--string-to-sign', right, '--json'], { env, stdin: 'pipe' });
    child.stdin?.end(body);
    const { stdout, stderr } = await collect(child);
    assert.equal(stderr, '');
    assert.equal(JSON.parse(stdout).string_to_sign, right);
    const twice = await runCommand([...post, '--string-to-sign', '@-'], { env });
    assert.equal(twice.exitCode, 2);
    assert.match(twice.stderr, /--data and --string-to-sign are both @-; put one of them into a file/);
  });

  test('shows long lines one below the other, with invisible characters written out', async () => {
    const long = 'x'.repeat(60);
    const words = ['--method', 'GET', '--url', `/user?n=${long}`, ...headers];
    const theirs = `GET\r\n1767225600\r\nn1\r\n/user?n=${long}`;
    const { stdout } = await explain(...words, '--string-to-sign', theirs);
    assert.match(stdout, /^Method\n {2}expected {2}GET\n {2}actual {4}GET\\r\n {15}\^\nTimestamp\n/);
    assert.match(stdout, /CanonicalizedResource\n {2}both {6}\/user/);
    assert.match(stdout, /line 1 \(Method\), column 4\.\nLikely cause: the lines are not separated/);
  });

  test('shows the string that a signature was made of, and never the secret', async () => {
    const { exitCode, stdout } = await explain(...get, '--signature', sign(unsorted));
    assert.equal(exitCode, 1);
    assert.match(stdout, /\/user\?b=x y&a=1\n/);
    assert.match(stdout, /Likely cause: the query parameters were not sorted/);
    const spaced = await explain(...get, '--signature', sign(getString, `${appSecret} `));
    assert.match(spaced.stdout, /Likely cause: the secret was used with white space/);
    for (const text of [stdout, spaced.stdout]) {
      assert.ok(!text.includes(appSecret) && !text.includes(sign(getString)));
    }
  });

  test('accepts the whole Authorization header as the signature', async () => {
    const header = `Authorization: cbs:app:${sign(getString, 'app')}`;
    const { stdout } = await explain(...get, '--signature', header);
    assert.match(stdout, /Likely cause: the APPID was used as the secret/);
  });

  test('names a signed scheme and host, which the server cannot know', async () => {
    const theirs = getString.replace('/user', 'http://127.0.0.1:1/user');
    const { stdout } = await explain(...get, '--signature', sign(theirs));
    assert.match(stdout, /Likely cause: the scheme or the host was signed/);
  });

  test('exits with 0 when the signature, the string or both are right', async () => {
    const given = [
      ['--signature', sign(getString)],
      ['--string-to-sign', getString],
      ['--string-to-sign', getString, '--signature', sign(getString)],
    ];
    for (const words of given) {
      const { exitCode, stdout } = await explain(...get, ...words);
      assert.deepEqual([exitCode, stdout.endsWith('\nIt is right.\n')], [0, true], stdout);
    }
    const plus = ['--method', 'GET', '--url', '/user?n=a+b', ...headers];
    for (const value of ['a b', 'a+b']) {
      const text = `GET\n1767225600\nn1\n/user?n=${value}`;
      assert.equal((await explain(...plus, '--string-to-sign', text)).exitCode, 0);
    }
  });

  test('looks for the mistake in the signature when the string is right', async () => {
    const hex = Buffer.from(sign(getString), 'base64').toString('hex');
    const { exitCode, stdout } = await explain(...get, '--string-to-sign', getString, '--signature', hex);
    assert.equal(exitCode, 1);
    assert.match(stdout, /Likely cause: the signature is written as hexadecimal digits/);
  });

  test('reads body and string from files, and ignores the line feed of an editor', async () => {
    const body = '{"a":1}\n';
    const md5 = createHash('md5').update(body).digest('hex');
    writeFileSync(join(folder, 'body'), body);
    writeFileSync(join(folder, 'theirs'), `POST\n${md5}\n1767225600\nn1\n/api/user\n`);
    const url = ['--url', '/user', '--base-path', '/api/'];
    const files = ['--data', `@${join(folder, 'body')}`, '--string-to-sign', `@${join(folder, 'theirs')}`];
    const { stdout } = await explain('--method', 'POST', ...url, ...headers, ...files);
    assert.match(stdout, /line 2 \(Content-MD5\), column 1/);
    assert.match(
      stdout,
      /Likely cause: Content-MD5 was signed as hex.*besides, a line feed follows the last line/,
    );
  });

  test('distinguishes milliseconds in the string from milliseconds or microseconds in the header', async () => {
    const theirs = getString.replace('1767225600', '1767225600123');
    assert.match(
      (await explain(...get, '--string-to-sign', theirs)).stdout,
      /Likely cause: the Timestamp was signed in milliseconds and sent in seconds/,
    );
    const inHeader = get.map((word) => (word === '1767225600' ? '1767225600123' : word));
    const { exitCode, stdout } = await explain(...inHeader, '--string-to-sign', theirs);
    assert.equal(exitCode, 1);
    assert.match(stdout, /Likely cause: the Timestamp header is in milliseconds/);
    const inMicroseconds = get.map((word) => (word === '1767225600' ? '1767225600123456' : word));
    const finer = await explain(...inMicroseconds, '--string-to-sign', theirs);
    assert.match(finer.stdout, /Likely cause: the Timestamp header is in microseconds/);
  });

  test('names the lines of a value that holds a line feed', async () => {
    const words = ['--method', 'GET', '--url', '/user?a=%0A1', ...headers];
    const text = 'GET\n1767225600\nn1\n/user?a=\n2';
    const { stdout } = await explain(...words, '--string-to-sign', text);
    assert.match(stdout, /line 5 \(CanonicalizedResource\), column 1/);
  });

  test('says that the secret differs if both strings are the same', async () => {
    const signature = createHmac('sha256', 'another secret').update(getString).digest('base64');
    const both = await explain(...get, '--string-to-sign', getString, '--signature', signature);
    assert.equal(both.exitCode, 1);
    assert.match(both.stdout, /Likely cause: the strings are the same .* another APPSECRET was used/);
    const alone = await explain(...get, '--signature', signature);
    assert.match(alone.stdout, /If your code signed exactly this string, it used a different APPSECRET\./);
  });

  test('notices that the APPID in the header does not belong to the secret', async () => {
    const header = ['--signature', `cbs:other:${sign(getString)}`];
    const { exitCode, stdout } = await explain(...get, ...header, '--app-id', 'mine');
    assert.equal(exitCode, 1);
    assert.match(stdout, /Likely cause: the Authorization header has a different APPID than/);
    assert.equal((await explain(...get, ...header, '--app-id', 'other')).exitCode, 0);
    assert.equal((await explain(...get, ...header)).exitCode, 0);
    const own = { FIELDROSTER_APP_ID: 'mine', FIELDROSTER_APP_SECRET: 'my own' };
    const foreign = ['explain', ...get, ...header, '--app-secret', appSecret];
    assert.equal((await runCommand(foreign, { env: own })).exitCode, 0);
  });

  test('takes their string as JSON, as the message of 1014 shows it', async () => {
    const { stdout } = await explain(...get, '--string-to-sign', JSON.stringify(unsorted));
    assert.match(stdout, /Likely cause: the query parameters were not sorted/);
    assert.equal((await explain(...get, '--string-to-sign', JSON.stringify(getString))).exitCode, 0);
  });

  test('recognizes a full URL signed as the resource, whether or not the command line has it', async () => {
    const sent = 'http://127.0.0.1:1/user?b=x%20y&a=1';
    const theirs = `GET\n1767225600\nn1\n${sent}`;
    const path = ['--method', 'GET', '--url', '/user?b=x%20y&a=1', ...headers];
    for (const request of [get, path]) {
      const { stdout } = await explain(...request, '--string-to-sign', theirs);
      assert.match(stdout, /Likely cause: the scheme or the host was signed/);
    }
    const { stdout } = await explain(...get, '--signature', sign(theirs));
    assert.match(stdout, /Likely cause: the scheme or the host was signed/);
  });

  test('recognizes a path signed with a prefix that it is sent without, in the string and in the signature', async () => {
    for (const prefix of ['/api/v1', '/api']) {
      const theirs = getString.replace('/user', `${prefix}/user`);
      for (const given of [
        ['--string-to-sign', theirs],
        ['--string-to-sign', `${theirs}\n`],
        ['--signature', sign(theirs)],
      ]) {
        const { stdout } = await explain(...get, ...given);
        assert.match(stdout, /otherwise, the path was signed with a prefix that did not reach the server/);
        assert.match(
          stdout,
          new RegExp(`Likely cause: --url leaves out ${prefix}, .* add --base-path ${prefix},`),
        );
        const based = await explain(...get, ...given, '--base-path', prefix);
        assert.doesNotMatch(based.stdout, /prefix|base path/);
      }
    }
  });

  test('names a body that was compressed after it was signed', async () => {
    const body = '{"a":1}';
    writeFileSync(join(folder, 'compressed'), gzipSync(body));
    writeFileSync(join(folder, 'broken'), gzipSync(body).subarray(0, 9));
    const md5 = createHash('md5').update(body).digest('base64');
    const post = ['--method', 'POST', '--url', '/user', ...headers];
    const signed = ['--signature', sign(`POST\n${md5}\n1767225600\nn1\n/user`)];
    const { stdout } = await explain(...post, '--data', `@${join(folder, 'compressed')}`, ...signed);
    assert.match(stdout, /Likely cause: the body was compressed after it was signed/);
    const broken = await explain(...post, '--data', `@${join(folder, 'broken')}`, ...signed);
    assert.match(broken.stdout, /no single known mistake/);
  });

  test('names a Timestamp or a Nonce that differs from the headers', async () => {
    const other = { Nonce: getString.replace('n1', 'n2'), Timestamp: getString.replace('56', '99') };
    for (const [name, theirs] of Object.entries(other)) {
      const { stdout } = await explain(...get, '--string-to-sign', theirs);
      assert.match(
        stdout,
        new RegExp(`Likely cause: the ${name} that was signed is not that of the headers`),
      );
    }
  });

  test('prints the difference and the mistake as JSON', async () => {
    const { stdout } = await explain(...get, '--string-to-sign', unsorted, '--json');
    assert.deepEqual(JSON.parse(stdout), {
      matches: false,
      string_to_sign: getString,
      signed_string: unsorted,
      first_difference: { line: 4, column: 7, name: 'CanonicalizedResource' },
      mistake: 'query-unsorted',
      likely_cause: 'the query parameters were not sorted; sign them in ascending order of their names',
    });
    const unknown = await explain(...get, '--signature', sign('x'), '--json');
    assert.deepEqual(JSON.parse(unknown.stdout), {
      matches: false,
      string_to_sign: getString,
      signed_string: null,
      first_difference: null,
      mistake: null,
      likely_cause: null,
    });
  });

  test('writes out control characters of their string', async () => {
    const { stdout } = await explain(...get, '--string-to-sign', `${getString}\u001b[31m\u202e`);
    assert.match(stdout, /x y\\u\{1b\}\[31m\\u\{202e\}/);
  });

  const mistakes: readonly (readonly [words: readonly string[], message: RegExp])[] = [
    [get, /give --signature, --string-to-sign or both/],
    [[...get, '--signature', 'a b'], /Authorization header contains white space/],
    [['--method', 'GET', '--url', 'user', ...headers, '--signature', 'x'], /--url is "user"/],
    [['--method', 'GET', '--url', '/user?a=%zz', ...headers, '--signature', 'x'], /--url: .*"%zz"/],
    [
      ['--method', 'GET', '--url', '/', '--timestamp', 'now', '--nonce', 'n', '--signature', 'x'],
      /the Timestamp header is ".*", which is not a number of seconds/,
    ],
    [[...get, '--string-to-sign', '@missing'], /--string-to-sign names missing, which does not exist/],
  ];

  for (const [words, message] of mistakes) {
    test(`exits 2 with one line: ${words.join(' ')}`, async () => {
      const { exitCode, stdout, stderr } = await explain(...words);
      assert.deepEqual([exitCode, stdout], [2, '']);
      assert.match(stderr, message);
      assert.match(stderr, /^fieldroster: [^\n]+\n$/);
    });
  }

  test('asks for the secret when a signature is given', async () => {
    const { exitCode, stderr } = await runCommand(['explain', ...get, '--signature', 'x']);
    assert.equal(exitCode, 2);
    assert.match(stderr, /no APPSECRET/);
  });
});
