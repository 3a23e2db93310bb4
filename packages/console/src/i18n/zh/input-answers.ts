import { answerText } from '../read-answer.ts';
import { named } from './field-names.ts';
import { kindOf, ofEachKind } from './kinds.ts';

const withoutQuotes = '发送时数字不加引号';

export const listed = (names: string) => names.split(', ').join('、');

const units: Readonly<Record<string, string>> = {
  seconds: '秒',
  microseconds: '微秒',
  nanoseconds: '纳秒',
};

const listedNumbers = (numbers: string) => listed(numbers).replace(' or ', ' 或 ');

const partNames: Readonly<Record<string, string>> = {
  'a parameter name': '有一个参数名',
  'a part of the query without a value': '查询中有一段没有值的文字',
};

const namedPart = (part: string) => partNames[part] ?? '查询中有一段文字';

/** 参数和请求体有误时的响应，顺序即匹配顺序。 */
export const inputAnswers = [
  // 1001
  answerText(
    '{field} or {other} is required; here the id is sent as {id}, not as {wrong}',
    ({ field, other, id }) => `缺少${named(field)}或${named(other)}。此操作中 ID 的字段名是 ${id}。`,
  ),
  answerText(
    '{field} must not be empty; leave it out, or give it a value',
    ({ field }) => `${named(field)}不能为空，请去掉该参数或给出值。`,
  ),
  answerText(
    '{field} must be in milliseconds; {value} looks like a date: send {milliseconds}, which is {moment}',
    ({ field, value, milliseconds, moment }) =>
      `${named(field)}的单位是毫秒，${value} 像是日期，应发送 ${milliseconds}（${moment}）。`,
  ),
  answerText(
    '{field} must be in milliseconds; {value} looks like {unit}: send {milliseconds}',
    ({ field, value, unit, milliseconds }) =>
      `${named(field)}的单位是毫秒，${value} 像是${units[unit] ?? '其他单位'}，应发送 ${milliseconds}。`,
  ),
  answerText(
    "{field} is {value}, more than a day ahead of the server's clock, which is at {now}; send an earlier time, in milliseconds",
    ({ field, value, now }) =>
      `${named(field)}是 ${value}，比服务器时钟（${now}）快一天以上。请发送更早的时间，单位是毫秒。`,
  ),
  answerText(
    'cursor must be the next_cursor that this operation returned, {rest}',
    () =>
      'cursor 必须是此操作返回的 next_cursor，原样发送，筛选条件和排序也要相同。要从头列出，请去掉 cursor。',
  ),
  answerText(
    '{field} must be an integer in decimal digits; it is {value}: send the digits without quotes',
    ({ field, value }) => `${named(field)}是 ${value}，必须是整数，${withoutQuotes}。`,
  ),
  answerText(
    '{field} is required in the query; the body of this operation is not read',
    ({ field }) => `缺少查询参数 ${field}。此操作不读取请求体。`,
  ),
  answerText(
    '{field} is in the body; send it in the query; the body of this operation is not read',
    ({ field }) => `${field} 写在了请求体中。此操作不读取请求体，请改为查询参数。`,
  ),
  answerText(
    '{field} is in the query; send it in the body; the query of this operation is not read',
    ({ field }) => `${field} 写在了查询参数中。此操作不读取查询参数，请写在请求体中。`,
  ),
  answerText(
    'the query has {parameter}, because the URL has &amp; in place of &; send & alone',
    ({ parameter }) => `查询参数中有 ${parameter}，因为 URL 中以“&amp;”代替了“&”。请只发送“&”。`,
  ),
  answerText(
    'the query parameter {parameter} is not known; this operation takes none',
    ({ parameter }) => `查询参数 ${parameter} 未知，此操作不接受任何查询参数。`,
  ),
  answerText(
    'the query parameter {parameter} is not known; this operation knows {names}',
    ({ parameter, names }) => `查询参数 ${parameter} 未知，此操作接受的参数：${listed(names)}。`,
  ),
  answerText(
    '{what} is not known; this operation takes none',
    () => '有一个没有值的查询参数未知，此操作不接受任何查询参数。',
  ),
  answerText(
    '{what} is not known; this operation knows {names}',
    ({ names }) => `有一个没有值的查询参数未知，此操作接受的参数：${listed(names)}。`,
  ),
  answerText(
    'include_children needs org_id: send that too, or leave include_children out',
    () => 'include_children 必须与 org_id 一起使用。',
  ),
  answerText(
    '{field} must be given once, not {times} times',
    ({ field, times }) => `${named(field)}出现了 ${times} 次，只能出现一次。`,
  ),
  answerText(
    '{field} must be true or false; it is {value}',
    ({ field, value }) => `${named(field)}必须是 true 或 false，收到的是${kindOf(value)}。`,
  ),
  answerText(
    '{field} must be a string; it is {value}',
    ({ field, value }) => `${named(field)}必须是文本（加引号的字符串），收到的是${kindOf(value)}。`,
  ),
  answerText(
    '{field} must be an array; it is {value}',
    ({ field, value }) => `${named(field)}必须是列表，收到的是${kindOf(value)}。`,
  ),
  answerText(
    '{field} must be an object; it is {value}',
    ({ field, value }) => `${named(field)}必须是 JSON 对象，收到的是${kindOf(value)}。`,
  ),
  answerText(
    '{field} must be an integer; it is {value}: send the digits without quotes',
    ({ field }) => `${named(field)}必须是整数，${withoutQuotes}。`,
  ),
  answerText(
    '{field} must be an integer; it is {value}',
    ({ field, value }) => `${named(field)}必须是整数，收到的是${kindOf(value)}。`,
  ),
  answerText(
    '{field} must be an integer: {numbers}; it is {value}: send the digits without quotes',
    ({ field, numbers }) => `${named(field)}必须是 ${listedNumbers(numbers)}，${withoutQuotes}。`,
  ),
  answerText(
    '{field} must be an integer: {numbers}; it is {value}',
    ({ field, numbers, value }) =>
      `${named(field)}必须是 ${listedNumbers(numbers)}，收到的是${kindOf(value)}。`,
  ),
  answerText(
    '{field} must be an integer from {min} to {max}; it is {value}: send the digits without quotes',
    ({ field, min, max }) => `${named(field)}必须是 ${min} 到 ${max} 之间的整数，${withoutQuotes}。`,
  ),
  answerText(
    '{field} must be an integer from {min} to {max}, written without exponent or fraction; it is about {value}',
    ({ field, min, max, value }) =>
      `${named(field)}约为 ${value}，必须是 ${min} 到 ${max} 之间的整数，并且只能写成数字，不能带指数或小数。`,
  ),
  ...ofEachKind(
    '{field} must be an integer from {min} to {max}',
    ({ field, min, max }, kind) => `${named(field)}必须是 ${min} 到 ${max} 之间的整数，收到的是${kind}。`,
  ),
  ...ofEachKind(
    '{field} must be one of {words}',
    ({ field, words }, kind) => `${named(field)}必须是以下之一：${listed(words)}。收到的是${kind}。`,
  ),
  answerText('{field} is not accepted: {reason}', ({ field }) => `${named(field)}的格式不受支持。`),
  answerText(
    '{name} contains {text}, which its signature cannot tell from the start of another parameter; {rule}',
    ({ name, text }) => `${name} 含有 ${text}，签名时无法将这段文字与另一个参数的开头区分开。`,
  ),
  answerText(
    'the query has more than {max} parameters; send fewer',
    ({ max }) => `查询参数超过 ${max} 个，请减少参数。`,
  ),
  answerText(
    'the parameter name {name} has "=", "&" or a control character; {rule}',
    ({ name }) => `参数名 ${name} 含有“=”、“&”或控制字符，参数名中不能有这些字符。`,
  ),
  answerText(
    '{part} has "=", "&" or a control character; {rule}',
    ({ part }) => `${namedPart(part)}解码后含有“=”、“&”或控制字符，参数名中不能有这些字符。`,
  ),
  answerText(
    'the value of parameter {name} has a "%" that is not followed by two hexadecimal digits, at {at}',
    ({ name, at }) => `参数 ${name} 的值中，${at} 处的“%”后面不是两位十六进制数字。`,
  ),
  answerText(
    'the value of parameter {name} has percent-encoded bytes that are not UTF-8, at or after {at}',
    ({ name, at }) => `参数 ${name} 的值从 ${at} 起不是 UTF-8 编码。`,
  ),
  // 操作不读取的参数可能含有密码，因此服务器不引用其内容。
  answerText(
    'the value of parameter {name} has a "%" that is not followed by two hexadecimal digits',
    ({ name }) => `参数 ${name} 的值中，“%”后面不是两位十六进制数字。`,
  ),
  answerText(
    'the value of parameter {name} has percent-encoded bytes that are not UTF-8',
    ({ name }) => `参数 ${name} 的值不是 UTF-8 编码。`,
  ),
  answerText(
    '{part} has a "%" that is not followed by two hexadecimal digits',
    ({ part }) => `${namedPart(part)}中的“%”后面不是两位十六进制数字。`,
  ),
  answerText(
    '{part} has percent-encoded bytes that are not UTF-8',
    ({ part }) => `${namedPart(part)}不是 UTF-8 编码。`,
  ),

  answerText(
    'the batch would leave its users at least {taken} stores fewer, and one request may take at most {max}: {cure}',
    ({ taken, max }) =>
      `这些用户的门店合计至少会减少 ${taken} 家，一次最多可减少 ${max} 家。请减少一次提交的用户数。`,
  ),

  // 1002、1003、1004
  answerText('the body is empty; it must be a JSON object', () => '请求体为空，必须是 JSON 对象。'),
  answerText(
    'the body is empty; {field} is in the query; send it in a JSON object',
    ({ field }) => `请求体为空，${field} 写在了查询参数中。请写在请求体的 JSON 对象中。`,
  ),
  answerText(
    'the body must be a JSON object; it is a string that contains JSON; serialize the object once',
    () => '请求体必须是 JSON 对象，收到的是含有 JSON 的字符串。对象只应序列化一次。',
  ),
  answerText(
    'the body must be a JSON object; it is an array; {advice}',
    () => '请求体必须是 JSON 对象，收到的是列表。响应原文说明了应发送的内容。',
  ),
  answerText(
    'the body must be a JSON object; it is {value}',
    ({ value }) => `请求体必须是 JSON 对象，收到的是${kindOf(value)}。`,
  ),
  answerText('the body is not JSON: it is not encoded in UTF-8', () => '请求体不是 UTF-8 编码。'),
  answerText('the body is not JSON: {detail}', () => '请求体不是有效的 JSON，响应原文说明了问题所在。'),
  answerText(
    'Content-Encoding is {value}; send the body as it is, without that header',
    ({ value }) => `Content-Encoding 是 ${value}。请求体不能压缩，请去掉该请求头。`,
  ),
  answerText(
    'Content-Type is {value}; it must be application/json (in UTF-8), or left out',
    ({ value }) => `Content-Type 是 ${value}，必须是 application/json（UTF-8），或不发送该请求头。`,
  ),
  answerText(
    'the body is larger than the limit of {max} bytes; send less, or ask the operator to raise {setting}',
    ({ max, setting }) => `请求体超过上限 ${max} 字节，上限由 ${setting} 设定。`,
  ),
];
