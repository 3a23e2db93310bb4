import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { applications } from '../../packages/console/src/i18n/zh/applications.ts';
import { general } from '../../packages/console/src/i18n/zh/general.ts';
import { importTexts as texts } from '../../packages/console/src/i18n/zh/import.ts';
import { settings } from '../../packages/console/src/i18n/zh/settings.ts';
import { workbook } from '../../packages/tables/test/workbook.ts';
import { SignedClient } from '../signed-client.ts';
import { ConsolePage, ownerPassword } from './console-page.ts';

describe('the console in Chinese', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
    await opened.goTo('');
    await opened.page.evaluate("localStorage.setItem('fieldroster-language', 'zh')");
  });

  after(() => opened?.close());

  const button = (name: string) => opened.page.getByRole('button', { name, exact: true });
  const row = (line: number) =>
    opened.page.getByRole('row').filter({ has: opened.page.getByText(String(line), { exact: true }) });

  async function choose(kind: keyof typeof texts.kinds, name: string, content: string | Uint8Array) {
    const { page } = opened;
    await opened.goTo('import');
    const again = button(texts.discard).or(button(texts.again)).or(button(texts.choose)).first();
    await again.waitFor();
    if ((await again.innerText()) !== texts.choose) await again.click();
    await page.getByRole('radiogroup').getByText(texts.kinds[kind], { exact: true }).click();
    await page.getByRole('heading', { name: texts.titles[kind] }).waitFor();
    const chosen = page.waitForEvent('filechooser');
    await button(texts.choose).click();
    await (await chosen).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
  }

  const wrongUsers = [
    ['username,password,role_id,org_id,store_codes,gender,phone', ''],
    [',,,,,,', ''],
    ['no.role,,4711,,,,', '没有 ID 为 4711 的角色。每个角色的 ID 见“角色”页面。'],
    ['no.org,,,4711,,,', '没有 ID 为 4711 的组织。每个组织的 ID 见“组织”页面。'],
    ['no.store,,,,N-001;none,,', '没有以下门店："none"。'],
    ['no.number,,x,,,,', '没有名为“x”的角色。请填写角色的名称或 ID。每个角色的 ID 见“角色”页面。'],
    ['no.gender,,,,,x,', '“性别”是“x”，必须是“男”或“女”，也可以填 0（未填写）、1（男）、2（女）。'],
    ['no.role,,,,,,', '第 3 行已有此用户名。每位用户只能占一行，所有门店须写在这一行中。'],
    [',,,,,,1', '缺少“用户名”。'],
    [
      'no.phone,,,,,,1E+11',
      '“电话”是 1E+11，这是被表格软件缩写的数字。请在表格软件中将该列设为文本格式，然后重新输入。',
    ],
    ['less,', '此行有 2 个值，标题行有 7 列，缺少“role_id”列的值。'],
    [' space,,,,,,', '“用户名”以 U+0020 开头，首尾不能有空白字符，也不能含有控制字符。'],
    ['zero\u200bwidth,,,,,,', '用户名含有不可见字符 U+200B，新用户的用户名不能含有此类字符。'],
    ['sheet,,,,,,#N/A', '“电话”是错误值 #N/A。请在表格软件中更正公式，或直接填写值。'],
    ['right,,,,,,', ''],
  ] as const;

  test('each wrong row of a file of users says in Chinese what is wrong, in the result too', async () => {
    const { page } = opened;
    await choose('users', 'staff.csv', wrongUsers.map(([line]) => line).join('\n'));
    await button(texts.showPreview).click();
    await button(texts.apply.users(2))
      .or(button(texts.apply.users(1)))
      .waitFor();
    await page.getByText(texts.outcomes.failed, { exact: false }).first().click();
    for (const [index, [, problem]] of wrongUsers.entries())
      if (problem !== '')
        await row(index + 1)
          .getByText(problem, { exact: true })
          .waitFor();
    await opened.requireAccessible();
    await page.getByRole('button', { name: /^导入 \d 位用户$/ }).click();
    await page.getByText(/^已导入 \d 位用户，另有 \d+ 行未导入$/).waitFor();
    await page.getByRole('columnheader', { name: texts.changed, exact: true }).waitFor();
    const download = page.waitForEvent('download');
    await button(texts.download).click();
    const [, ...lines] = readFileSync(await (await download).path(), 'utf8')
      .trim()
      .split('\n');
    const failed = lines.filter((line) => line.includes(',failed,'));
    assert.equal(failed.length, wrongUsers.filter(([, problem]) => problem !== '').length);
    for (const line of failed) assert.match(line, /\p{Script=Han}.*。"?$/u);
  });

  test('a number or a date that a workbook has changed is explained in Chinese', async () => {
    await choose('users', 'staff.xlsx', workbook());
    await button(texts.showPreview).click();
    await row(5).getByText('“电话”是数字，已被表格软件舍入。', { exact: false }).waitFor();
    await row(6).getByText('“电话”是日期，可能是被表格软件自动转换的。', { exact: false }).waitFor();
  });

  test('a wrong organization, store or role is explained in Chinese', async () => {
    for (const [kind, line, problem] of [
      [
        'orgs',
        'id,name,parent_id\n4712,N,4711',
        '目录和文件中都没有 ID 为 4711 的组织。每个组织的 ID 见“组织”页面。',
      ],
      ['orgs', 'id,name,parent_id\n0,N,', '“ID”必须在 1 到 9223372036854775807 之间。'],
      ['stores', 'code,name\nX,', '缺少“名称”。'],
      ['roles', 'id,name\n7,N\n7,M', '第 2 行已有此条目。请删除其中一行。'],
    ] as const) {
      await choose(kind, 'list.csv', line);
      await button(texts.showPreview).click();
      await opened.page.getByText(problem, { exact: true }).waitFor();
    }
  });

  test('what the server refuses while it imports is explained in Chinese', async () => {
    const { page } = opened;
    await choose('orgs', 'list.csv', 'id,name,parent_id\n1,Harbour Foods,11');
    await button(texts.showPreview).click();
    await button(texts.apply.orgs(1)).click();
    await page.getByText('组织 11 位于组织 1 之下，不能作为其上级。', { exact: true }).waitFor();
    opened.expectReports(409);
  });

  test('a file that cannot be read is explained in Chinese', async () => {
    const alert = opened.page.getByRole('alert');
    for (const [name, content, problem] of [
      ['open.csv', 'username\n"a', '第 2 行：此处的引号没有闭合。'],
      ['empty.csv', '', '文件为空。第一行必须是列名。'],
      [
        'latin.csv',
        new Uint8Array([0x75, 0x0a, 0xff]),
        '第 2 行：文本不是 UTF-8 编码。请在上方选择文件编码，例如 GB18030 (GBK) 或 Windows-1252 (Latin-1)，或将文件另存为“CSV UTF-8”。',
      ],
      [
        'utf-16.csv',
        new Uint8Array([0xff, 0xfe, 0x75, 0, 0x00, 0xd8]),
        '第 1 行：文本不是 UTF-16 编码，请在上方选择其他文件编码。',
      ],
      ['none.xlsx', 'x', '文件无法作为工作簿读取'],
    ] as const) {
      await choose('users', name, content);
      await alert.getByText(problem, { exact: false }).waitFor();
    }
  });

  test('what the server refuses of an address is explained in Chinese, with nothing left in English', async () => {
    const { page } = opened;
    const alert = page.getByRole('main').getByRole('alert');
    const long = 'x'.repeat(300);
    for (const [path, problem] of [
      [`users?search=${long}`, '“搜索内容”最多 100 个字符，现有 300 个。'],
      [`stores?search=${long}`, '“搜索内容”最多 100 个字符，现有 300 个。'],
      [`requests?request=${long}`, '“请求 ID”最多 64 个字符，现有 300 个。'],
      [`requests?operation=${long}`, '“操作”最多 64 个字符，现有 300 个。'],
      [`audit?store=${long}`, '“门店编号”最多 255 个字符，现有 300 个。'],
    ] as const) {
      await opened.goTo(path);
      await alert.getByText(problem).waitFor();
      assert.equal(await alert.locator('[lang=en]').count(), 0);
    }
    // The browser reports each call that was refused.
    await opened.settled();
    opened.expectReports(400);
  });

  test('labels and times have full-width punctuation, and spaces beside numbers', async () => {
    const { page } = opened;
    for (const path of ['users', 'settings', 'audit']) {
      await opened.goTo(path);
      await page.locator('time').first().waitFor();
      await opened.settled();
      const labels = page.locator('[aria-label]');
      const names = await labels.evaluateAll((all) => all.map((one) => one.ariaLabel ?? ''));
      assert(names.length > 5);
      for (const name of names) assert.doesNotMatch(name, /\p{Script=Han}[,;:!?]/u);
      const times = await page.locator('time').allInnerTexts();
      for (const time of times) assert.doesNotMatch(time, /^\d+\p{Script=Han}/u);
    }
  });

  test('no paragraph ends in a line of one character, at any width of a phone', async () => {
    const { page } = opened;
    await opened.goTo('settings');
    await page.getByText(settings.factor.help, { exact: true }).waitFor();
    for (let width = 320; width <= 430; width += 4) {
      await page.setViewportSize({ width, height: 844 });
      const lastLines = await page.locator('main p').evaluateAll((paragraphs) =>
        paragraphs.map(({ firstChild, ownerDocument }) => {
          const range = ownerDocument.createRange();
          const letters = [...(firstChild?.nodeValue ?? '')].map((letter, index) => {
            if (firstChild !== null) {
              range.setStart(firstChild, index);
              range.setEnd(firstChild, index + 1);
            }
            return { letter, bottom: range.getBoundingClientRect().bottom };
          });
          const { bottom } = letters.at(-1) ?? {};
          return letters.flatMap((each) => (each.bottom === bottom ? [each.letter] : [])).join('');
        }),
      );
      assert(lastLines.length > 10);
      for (const line of lastLines) assert.doesNotMatch(line, /^.。$/u, `${width} pixels`);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('the signature lab names the mistake in Chinese', async () => {
    const { page } = opened;
    await opened.goTo('lab');
    await page.getByLabel('实际发送的 URL').fill('/user?username=ada');
    await page.getByLabel('请求头').fill('Timestamp: 1767225600\nNonce: n');
    await page.getByLabel('您的待签名字符串').fill('GET\n1767225600\nn\n/user');
    await page.getByRole('alert').getByText('缺少查询参数。', { exact: false }).waitFor();
    await page.getByText('第一处差异在第 4 行（规范化资源）的第 6 个字符。').waitFor();
    const stages = await page.getByRole('term').allInnerTexts();
    assert.deepEqual(stages, ['方法', 'Content-MD5', '时间戳', '随机数', '参数']);
  });

  test('the signature lab says in Chinese what is wrong with a header or the query', async () => {
    const { page } = opened;
    await opened.goTo('lab');
    await page.getByLabel('实际发送的 URL').fill('/user?username=ada');
    await page.getByLabel('请求头').fill('Timestamp: now\nNonce: n');
    const result = page.getByRole('region', { name: '结果' });
    await result.getByText('Timestamp 不是秒数，应为 Unix 纪元以来的整秒数，即 1 到 16 位数字。').waitFor();
    await page.getByLabel('实际发送的 URL').fill('/user?username=%zz');
    await page.getByLabel('请求头').fill('Timestamp: 1767225600\nNonce: n');
    await result.getByText('参数 "username" 的值含有“%”', { exact: false }).waitFor();
  });

  test('what the server refuses in a dialog is explained in Chinese, with its details', async () => {
    const { page } = opened;
    await opened.issueApplication('Shop till');
    await opened.goTo('applications');
    await page.locator('tbody tr').first().click();
    await button(applications.edit).click();
    await page.getByLabel(applications.addresses).fill('10.0.0.0/8，10.0.0');
    await button(general.save).click();
    const alert = page.getByRole('alert').last();
    await alert.getByText('"10.0.0" 不是 IP 地址，也不是网段。', { exact: false }).waitFor();
    assert.equal(await page.locator('[lang=en]').count(), 0);
    await opened.goTo('settings');
    await page.getByRole('textbox', { name: settings.password.current }).fill(ownerPassword);
    await page.getByRole('textbox', { name: settings.password.next }).fill('password1234');
    await button(settings.password.action).click();
    await alert.getByText('此密码容易被猜到。', { exact: false }).waitFor();
    await alert.getByText('这是最常用的密码之一，攻击者会首先尝试。').waitFor();
    opened.expectReports(400);
  });

  test('the likely cause of a wrong signature is in Chinese', async () => {
    const { page } = opened;
    const till = await opened.issueApplication('Shop till');
    // A server that starts knows it. Waiting by calls would fail so often that the next failure is not kept.
    await opened.writeCallCounts();
    const client = new SignedClient(opened.server.url, till);
    const { headers } = await client.exchange({
      ...client.sign('GET', '/user'),
      target: '/user?username=someone',
    });
    client.close();
    await opened.writeCallCounts();
    await opened.goTo(`requests/${headers['x-request-id']}`);
    const cause = page.getByRole('alert').filter({ hasText: '可能的原因' });
    await cause.getByText('缺少查询参数。请签入路径、“?”和每个参数', { exact: false }).waitFor();
    // Only the answer that the caller received is English.
    const english = await page.getByRole('dialog').locator('[lang=en]').allInnerTexts();
    assert.equal(english.length, 1);
    assert.match(english.join(), /^the signature does not match/);
  });

  test('every finding of the doctor, and its advice, is in Chinese', async () => {
    const { page } = opened;
    await opened.goTo('settings');
    const items = page.getByRole('region', { name: '系统检查' }).getByRole('listitem');
    await items.first().waitFor();
    assert.equal(await items.count(), 12);
    for (const text of await items.allInnerTexts()) {
      const [, ...sentences] = text.split('\n').filter((line) => line.trim() !== '');
      const [level, ...said] = sentences.toReversed();
      assert.match(level ?? '', /^(?:正常|提示|警告)$/);
      assert(said.length > 0, text);
      for (const sentence of said) assert.match(sentence, /\p{Script=Han}.*。$/u);
    }
  });
});
