import { cutShortSearch } from '@fieldroster/contract/problems';
import { answerText } from '../read-answer.ts';
import { applications } from './applications.ts';
import { clockHint } from './clock-hint.ts';
import { inputAnswers, listed } from './input-answers.ts';

const ruleOfTimestamp = '应为 Unix 纪元以来的整秒数，即 1 到 16 位数字';

/** 接口响应的中文说法，顺序即匹配顺序。响应只以英文保存，数值从原文中取得。 */
export const answers = [
  ...inputAnswers,

  // 1005、1006
  answerText(
    'there is no operation at {path}; did you mean {similar}?',
    ({ path, similar }) => `路径 ${path} 没有对应的操作，是否应为 ${similar}？`,
  ),
  answerText(
    'there is no operation at {path}; operations are below {base}',
    ({ path, base }) => `路径 ${path} 没有对应的操作，所有操作都在 ${base} 之下。`,
  ),
  answerText(
    'there is no operation at {path}; ids and codes go in the query or the body, not in the path',
    ({ path }) => `路径 ${path} 没有对应的操作。ID 和编号应放在查询参数或请求体中，不应放在路径中。`,
  ),
  answerText('there is no operation at {path}', ({ path }) => `路径 ${path} 没有对应的操作。`),
  answerText(
    'this path does not support {method}; it supports {methods}; {hint}',
    ({ method, methods }) => `此路径不支持 ${method}，支持的方法：${listed(methods)}。`,
  ),
  answerText(
    'this path does not support {method}; it supports {methods}',
    ({ method, methods }) => `此路径不支持 ${method}，支持的方法：${listed(methods)}。`,
  ),

  // 1011
  answerText(
    'the {header} header is missing; {rule}; the {others} headers are missing too',
    ({ header, others }) => `缺少请求头 ${[header, ...others.split(' and ')].join('、')}。`,
  ),
  answerText(
    'the {header} header is missing; {rule}; the {other} header is missing too',
    ({ header, other }) => `缺少请求头 ${header} 和 ${other}。`,
  ),
  answerText('the {header} header is missing; {rule}', ({ header }) => `缺少请求头 ${header}。`),
  answerText('the {header} header is empty; {rule}', ({ header }) => `请求头 ${header} 为空。`),
  answerText(
    'the {header} header was sent {times} times; send it once',
    ({ header, times }) => `请求头 ${header} 发送了 ${times} 次，只能发送一次。`,
  ),
  answerText(
    'the Nonce header has {count} characters; expected 1 to {max} characters',
    ({ count, max }) => `请求头 Nonce 有 ${count} 个字符，最多 ${max} 个。`,
  ),
  answerText('the Timestamp header {problem}; {rule}', () => `请求头 Timestamp 有误，${ruleOfTimestamp}。`),
  answerText(
    'the Authorization header {problem}; expected {form}; the {others} missing too',
    ({ form }) => `请求头 Authorization 有误，正确的格式是 ${form}；此外还缺少其他签名请求头。`,
  ),
  answerText(
    'the Authorization header {problem}; expected {form}',
    ({ form }) => `请求头 Authorization 有误，正确的格式是 ${form}。`,
  ),

  // 1012、1013
  answerText(
    "Timestamp {timestamp} is {seconds} seconds {direction} the server's time {now}; at most {max} are accepted; {hint}",
    ({ seconds, direction, max, hint }) =>
      `时间戳比服务器时间${direction === 'behind' ? '慢' : '快'} ${seconds} 秒，最多允许相差 ${max} 秒。${clockHint(hint)}`,
  ),
  answerText(
    "the record of requests up to Timestamp {purged} was purged, so Timestamp {timestamp} is too old to tell whether this request is new (the server's time {now}); after a restore, writes are refused for a while: sign again in {seconds} seconds. If nothing was restored, {rest}",
    ({ timestamp, purged, seconds }) =>
      `时间戳 ${timestamp} 过早，无法判断请求是否处理过：截至时间戳 ${purged} 的请求记录已清除。恢复备份后，写操作会暂时被拒绝，请在 ${seconds} 秒后重新签名发送。如果没有恢复过备份，请用 fieldroster claims status 检查各服务器的时钟。`,
  ),
  answerText(
    "the record of requests up to Timestamp {purged} was purged, so Timestamp {timestamp} is too old to tell whether this request is new (the server's time {now}); sign again with the current time, {rest}",
    ({ timestamp, purged }) =>
      `时间戳 ${timestamp} 过早，无法判断请求是否处理过：截至时间戳 ${purged} 的请求记录已清除。请按当前时间重新签名发送；如果仍被拒绝，请用 fieldroster claims status 检查各服务器的时钟。`,
  ),
  answerText(
    'the application {app} is unknown or revoked; it looks like a signature: {order}',
    () => 'APPID 的位置上像是签名，顺序应为 cbs:<APPID>:<Signature>。',
  ),
  answerText(
    'the application {app} is unknown or revoked; {hint}',
    ({ app }) => `没有 APPID 为 ${app} 的应用，或者该应用已被吊销。`,
  ),
  answerText('the application {app} is suspended; {hint}', ({ app }) => `应用 ${app} 已被暂停。`),
  answerText(
    'the application {app} expired at {at}; {hint}',
    ({ app, at }) => `应用 ${app} 已于 ${at} 到期。`,
  ),

  // 1014：可能的原因另有说明
  answerText('the signature does not match', () => '签名与服务器计算的不一致。'),
  answerText(
    `the signature does not match; ${cutShortSearch.others}`,
    () => '签名与服务器计算的不一致。同一秒内的其他错误签名用完了查找原因的时间。',
  ),
  answerText(
    `the signature does not match; ${cutShortSearch.long}`,
    () => '签名与服务器计算的不一致。查找原因用时过长，未能查完。',
  ),

  // 1015、1016、1017
  answerText('this nonce was used before, {rest}', () => '该随机数已经用过，这次请求没有执行任何操作。'),
  answerText(
    'this signed request has already taken effect, {rest}',
    () => '同一个签名请求之前已经生效，这次没有再执行，可视为成功。',
  ),
  answerText(
    'the application {app} may not call from the address {address}; {hint}',
    ({ app, address }) => `不允许应用 ${app} 从地址 ${address} 调用。`,
  ),
  answerText(
    'the application {app} may only call from certain addresses, {rest}',
    ({ app }) =>
      `应用 ${app} 只能从指定地址调用，而服务器不知道客户端的地址。请用 --trust-proxy 指定服务器前面的反向代理。`,
  ),
  answerText(
    '{operation} needs the scope {needed}; the application {app} has the scope {own}: {hint}',
    ({ operation, needed, app, own }) =>
      `操作 ${operation} 需要权限范围${scope(needed)}，而应用 ${app} 只有${scope(own)}。`,
  ),
  answerText(
    'if_revision is {sent}, and the revision is now {current}; read it again',
    ({ sent, current }) => `应用依据的是版本 ${sent}，现在已是版本 ${current}。`,
  ),

  // 11xx 至 14xx
  answerText('no user has id {id}', ({ id }) => `没有 ID 为 ${id} 的用户。`),
  answerText('no user has username {username}', ({ username }) => `没有用户名为 ${username} 的用户。`),
  answerText(
    'user {id} does not have the username {username}; {hint}',
    ({ id, username }) => `ID 为 ${id} 的用户，用户名不是 ${username}。`,
  ),
  answerText('the username or the password is wrong', () => '用户名或密码错误。'),
  answerText('the user {username} is disabled; {cure}', ({ username }) => `用户 ${username} 已停用。`),
  answerText(
    'user {user} is not bound to role {role}',
    ({ user, role }) => `用户 ${user} 没有绑定角色 ${role}。`,
  ),
  answerText(
    'user {user} is not bound to organization {org}',
    ({ user, org }) => `用户 ${user} 没有绑定组织 ${org}。`,
  ),
  answerText(
    'user {user} is not bound to store {store}',
    ({ user, store }) => `用户 ${user} 没有绑定门店 ${store}。`,
  ),
  answerText(
    '{target} has more than {many} users; force=true unbinds at most {max}: {cure}',
    ({ many, max }) => `用户超过 ${many} 位，一次最多可解绑 ${max} 位。请先移走其余用户。`,
  ),
  answerText(
    'organization {id} has more than {many} users and {children} {orgs} below it; {cure}',
    ({ id, many, children }) => `组织 ${id} 中的用户超过 ${many} 位，下面还有 ${children} 个下级组织。`,
  ),
  answerText('role {id} has {count} {users}; {cure}', ({ id, count }) => `角色 ${id} 仍有 ${count} 位用户。`),
  answerText(
    'organization {id} has {count} {users} and {children} {orgs} below it; {cure}',
    ({ id, count, children }) => `组织 ${id} 中有 ${count} 位用户，下面还有 ${children} 个下级组织。`,
  ),
  answerText(
    'organization {id} has {children} {orgs} below it; {cure}',
    ({ id, children }) => `组织 ${id} 下面还有 ${children} 个下级组织。`,
  ),
  answerText('organization {id} cannot be its own parent', ({ id }) => `组织 ${id} 不能以自身为上级。`),
  answerText(
    'organization {id} has {count} {users}; {cure}',
    ({ id, count }) => `组织 ${id} 仍有 ${count} 位用户。`,
  ),
  answerText(
    'store {code} has {count} {users}; {cure}',
    ({ code, count }) => `门店 ${code} 仍由 ${count} 位用户负责。`,
  ),
  answerText(
    'the store does not exist: {codes} and {more} more',
    ({ codes, more }) => `没有以下门店：${listed(codes)}，另有 ${more} 家。`,
  ),

  // 1429、1500、1503
  answerText(
    '{app} may make {max} requests a second; wait a second and send it again',
    ({ app, max }) => `应用 ${app} 每秒最多可发送 ${max} 次请求。`,
  ),
  answerText(
    'internal error; the operator can find its cause by the request id {id}',
    () => '服务器内部出错。响应中没有写明原因，请在服务器日志中查找。',
  ),
  answerText(
    'this username had a wrong password within a minute, and the application {app} had {max}; try again in {seconds} s',
    ({ app, max, seconds }) =>
      `此用户名在一分钟内输错过密码，应用 ${app} 在一分钟内输错了 ${max} 次。请在 ${seconds} 秒后重试。`,
  ),
  answerText(
    'this request was not begun, because those before it on its connection took longer than {wait}; send it again',
    () => '同一连接上先发送的请求耗时过长，此请求没有开始执行，可以重发。',
  ),
  answerText(
    'the connection ended before this request was begun; send it again',
    () => '连接在此请求开始执行之前就断开了，可以重发。',
  ),
  answerText('the outcome is unknown; {rest}', () => '服务器未能确认写入是否生效。'),
  answerText('the server cannot take this now; {rest}', () => '服务器暂时无法处理，请求没有生效。'),
  answerText('the server is receiving too much at once; {rest}', () => '服务器同时接收的数据过多。'),
];

const scopes: Readonly<Record<string, string>> = applications.scopes;

const scope = (name: string) => `“${scopes[name] ?? name}”`;
