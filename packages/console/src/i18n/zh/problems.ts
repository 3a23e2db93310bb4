import { describeHashProblem, type ProblemTexts } from '@fieldroster/contract/problems';
import { encodingNames, nameOfEncoding } from '../encoding-names.ts';
import { written } from '../written.ts';
import { consoleProblems } from './console-problems.ts';
import { named } from './field-names.ts';
import { hashProblems } from './hash-problems.ts';

const asText = '请在表格软件中将该列设为文本格式，然后重新输入';
const asShown = '请在表格软件中将该列设为文本格式，然后按显示的内容重新输入';
const enterIt = '或直接填写值';
const saveThere = '请用表格软件打开并保存文件';
const smaller = '将工作表另存为 CSV，或拆分文件';

function andMore(count: number, shown: number): string {
  return count > shown ? `，另有 ${written(count - shown)} 个` : '';
}

export const problems: ProblemTexts = {
  ...consoleProblems,

  missing: ({ field }) => `缺少${named(field)}。`,
  tooLong: ({ field, max, count }) =>
    `${named(field)}最多 ${written(max)} 个字符，现有 ${written(count)} 个。`,
  storeCodeTooLong: ({ max, count }) => `门店编号最多 ${max} 个字符，其中一个有 ${written(count)} 个。`,
  whiteSpaceAround: ({ field }) => `${named(field)}的开头或结尾有空白字符。`,
  outOfRange: ({ field, min, max }) => `${named(field)}必须在 ${min} 到 ${max} 之间。`,
  notWhole: ({ field, value }) => `${named(field)}是“${value}”，必须是整数。`,
  isList: ({ field }) => `${named(field)}必须是一个整数，不能是列表。`,
  notText: ({ field, kind }) =>
    kind === 'boolean'
      ? `${named(field)}是 TRUE 或 FALSE，必须是文本。${asText}。`
      : `${named(field)}必须是文本。`,
  notTexts: ({ field }) => `${named(field)}必须是文本列表。`,
  notGender: ({ value }) => `“性别”是“${value}”，必须是“男”或“女”，也可以填 0（未填写）、1（男）、2（女）。`,
  shortened: ({ field, value }) => `${named(field)}是 ${value}，这是被表格软件缩写的数字。${asText}。`,
  madeDate: ({ field, value }) => `${named(field)}是 ${value}，这是被表格软件转换成的日期。${asText}。`,
  isDate: ({ field }) => `${named(field)}是日期，可能是被表格软件自动转换的。${asText}。`,
  rounded: ({ field }) => `${named(field)}是数字，已被表格软件舍入。${asText}。`,
  sheetError: ({ field, value }) => `${named(field)}是错误值 ${value}。请在表格软件中更正公式，${enterIt}。`,
  noResult: ({ field, value }) =>
    `${named(field)}是公式 ${value}，但文件中没有计算结果。${saveThere}，${enterIt}。`,
  noResultOfSecret: ({ field }) => `${named(field)}是公式，但文件中没有计算结果。${saveThere}，${enterIt}。`,
  shownOtherwise: ({ field, value }) =>
    `${named(field)}是数字，但表格按格式 ${value} 显示为其他内容。${asShown}。`,
  shownOtherwiseOfSecret: ({ field }) => `${named(field)}是数字，但表格显示为其他内容。${asShown}。`,

  noRoleNamed: ({ value }) => `没有名为“${value}”的角色。请填写角色的名称或 ID。`,
  noOrgNamed: ({ value }) => `没有名为“${value}”的组织。请填写组织的名称、路径（如“总公司 / 华北”）或 ID。`,
  severalRoles: ({ value, count, found }) =>
    `有 ${written(count)} 个角色名为“${value}”，请填写其中一个的 ID：${found.map(({ id }) => id).join('、')}${andMore(count, found.length)}。`,
  severalOrgs: ({ value, count, found }) =>
    `有 ${written(count)} 个组织名为“${value}”，请填写其中一个的 ID 或路径：${found.map(({ id, path }) => `${id}（${path}）`).join('、')}${andMore(count, found.length)}。`,
  otherRole: ({ id, value, found }) =>
    `角色的 ID 是 ${id}，但名称“${value}”对应的 ID 是 ${found.map((other) => other.id).join('、')}。请更正 ID 或名称，或清空其中一项。`,
  otherOrg: ({ id, value, found }) =>
    `组织的 ID 是 ${id}，但名称“${value}”对应的 ID 是 ${found.map((other) => `${other.id}（${other.path}）`).join('、')}。请更正 ID 或名称，或清空其中一项。`,

  usernameRepeated: ({ line }) => `第 ${line} 行已有此用户名。每位用户只能占一行，所有门店须写在这一行中。`,
  entryRepeated: ({ line }) => `第 ${line} 行已有此条目。请删除其中一行。`,
  rowTooLarge: ({ bytes, max }) =>
    `此行转换后有 ${written(bytes)} 字节，一次请求最多 ${written(max)} 字节。请减少该用户的门店。`,
  moreMistakes: ({ count }) => `此行还有 ${written(count)} 处错误。`,
  fewerValues: ({ column, values, names }) =>
    `此行有 ${values} 个值，标题行有 ${names} 列，缺少“${column}”列的值。`,
  moreValues: ({ values, names }) =>
    `此行的值比标题行的列多（此行有 ${values} 个值，标题行有 ${names} 列）。请检查含有分隔符的值是否加了引号。`,
  noParent: ({ id }) => `目录和文件中都没有 ID 为 ${id} 的组织。`,

  empty: () => '文件为空。第一行必须是列名。',
  emptySheet: () => '第一个工作表为空。系统只读取第一个工作表，第一行必须是列名。',
  unknownEnding: ({ file }) => `${file} 的扩展名必须是 .csv 或 .xlsx，系统据此识别文件格式。`,
  headerError: ({ value }) => `有一个列名是错误值 ${value}，请直接填写列名。`,
  headerWithoutResult: () => '有一个列名是没有计算结果的公式，请直接填写列名。',
  otherDelimiter: ({ delimiter }) =>
    `各列似乎用“${delimiter}”分隔，但只能识别逗号、分号和制表符。请将文件另存为用其中之一分隔的 CSV。`,
  quoteNotClosed: () => '此处的引号没有闭合。',
  rowTooLong: ({ max }) => `从这里开始的行超过 ${written(max)} 字节，可能有引号没有闭合。`,
  quoteNotDoubled: () => '带引号的值中如果还有引号，必须写两次。',
  quoteInside: () => '含有引号的值必须整体加上引号，其中的引号必须写两次。',
  notCsv: ({ code }) => `文件不是有效的 CSV（${code}）。请用表格软件打开，再另存为 CSV。`,
  notUtf8: () =>
    `文本不是 UTF-8 编码。请在上方选择文件编码，例如 ${encodingNames.gb18030} 或 ${encodingNames['windows-1252']}，或将文件另存为“CSV UTF-8”。`,
  otherEncoding: ({ encoding }) => `文本不是 ${nameOfEncoding(encoding)} 编码，请在上方选择其他文件编码。`,
  // 原因来自读取程序，只有英文，对读者没有帮助。
  notWorkbook: () => '文件无法作为工作簿读取。请用表格软件打开并重新保存，或另存为 CSV。',
  manyParts: ({ max }) =>
    `工作簿的组成部分或关系超过 ${written(max)} 个。请将工作表单独存为一个工作簿，或另存为 CSV。`,
  largeWorkbook: ({ found, max }) =>
    `工作簿解压后至少有 ${written(found)} MiB，最多可读取 ${max} MiB。请${smaller}。`,
  manyCells: ({ part, rows, columns, max }) =>
    `${part} 至少有 ${written(rows)} 行、${written(columns)} 列，最多可读取 ${written(max)} 个单元格。请删除空行和空列，或${smaller}。`,
  utf16Part: ({ part }) =>
    `${part} 采用 UTF-16 编码，必须是 UTF-8。请用表格软件打开并重新保存，或另存为 CSV。`,
  unusual: ({ part }) => `${part} 的写法与表格软件不同。请重新保存工作表，或另存为 CSV。`,

  slowBody: ({ bytesPerSecond }) =>
    `上传过慢，低于每秒 ${written(bytesPerSecond)} 字节，服务器已停止接收。请检查网络后重试。`,
  brokenBody: () => '上传中断，服务器没有收到完整内容。请检查网络后重试。',

  notInteger: ({ field, value }) => `${named(field)}是 ${value}，必须是整数。`,
  integerOutOfRange: ({ field, min, max, value }) =>
    `${named(field)}是 ${value}，必须是 ${min} 到 ${max} 之间的整数。`,
  notOneOf: ({ field, words, value }) => `${named(field)}是 ${value}，必须是以下之一：${words.join('、')}。`,
  required: ({ field }) => `缺少${named(field)}。`,
  otherSpelling: ({ field, value }) => `缺少${named(field)}。字段名必须完全一致，${value} 不会被读取。`,
  emptyValue: ({ field }) => `${named(field)}不能为空。`,
  halfCharacter: ({ field }) => `${named(field)}含有不完整的 Unicode 字符。`,
  nul: ({ field }) => `${named(field)}不能含有 NUL 字符。`,
  beginsWith: ({ field, character }) =>
    `${named(field)}以 ${character} 开头，首尾不能有空白字符，也不能含有控制字符。`,
  endsWith: ({ field, character }) =>
    `${named(field)}以 ${character} 结尾，首尾不能有空白字符，也不能含有控制字符。`,
  contains: ({ field, character }) => `${named(field)}含有控制字符 ${character}，请将其删除。`,
  invisible: ({ character }) => `用户名含有不可见字符 ${character}，新用户的用户名不能含有此类字符。`,
  joinedStoreCode: ({ field, value, text }) =>
    `${named(field)}是 ${value}。新门店的编号不能含有 ${text}，否则请求中会与另一个参数的开头混淆。请换一个编号。`,
  twoPasswords: () => '密码和密码哈希只能填写一个。',
  refusedHash: ({ hash }) => `密码哈希无法使用。${describeHashProblem(hashProblems, hash) ?? ''}`,
  noRole: ({ id }) => `没有 ID 为 ${id} 的角色。`,
  noOrg: ({ id }) => `没有 ID 为 ${id} 的组织。`,
  noStores: ({ codes, more }) =>
    `没有以下门店：${codes.join('、')}${more > 0 ? `，另有 ${written(more)} 家` : ''}。`,
  usernameTaken: ({ username }) => `用户名 ${username} 已被占用。`,
  storeTaken: ({ code }) => `已有编号为 ${code} 的门店。`,
  roleTaken: ({ id }) => `已有 ID 为 ${id} 的角色。`,
  orgTaken: ({ id }) => `已有 ID 为 ${id} 的组织。`,
  orgInItself: ({ parent, id }) =>
    parent === id ? `组织 ${id} 不能以自身为上级。` : `组织 ${parent} 位于组织 ${id} 之下，不能作为其上级。`,
  manyStoresToChange: ({ max }) => `这些用户的门店（含要绑定的）超过 ${max} 家，请减少一次修改的用户数。`,
  tooManyLevels: ({ parent, max }) =>
    `放在组织 ${parent} 之下，组织层级会超过 ${max} 级。请选择层级更高的上级组织。`,
  notPositive: ({ field, value }) =>
    `${named(field)}是 ${value}，必须是正数。如不填写，服务器会自动分配 ID。`,
};
