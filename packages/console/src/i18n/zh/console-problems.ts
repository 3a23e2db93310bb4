import type { ConsoleProblemTexts } from '@fieldroster/contract/problems';
import { written } from '../written.ts';
import { named } from './field-names.ts';

const roles = { viewer: '查看者', manager: '管理者', owner: '所有者' } as const;

/** 只有控制台的操作才会拒绝的情形。 */
export const consoleProblems: ConsoleProblemTexts = {
  notAddress: ({ entry }) =>
    `${entry} 不是 IP 地址，也不是网段。正确的例子：192.0.2.7、10.0.0.0/8、2001:db8::/32。`,
  badNetwork: ({ entry, max }) => `网段 ${entry} 的前缀长度（“/”之后的数字）必须在 1 到 ${max} 之间。`,
  tooShort: ({ field, min, count }) => `${named(field)}至少须有 ${min} 个字符，现有 ${count} 个。`,
  tooMany: ({ field, max, count }) => `${named(field)}最多 ${written(max)} 项，现有 ${written(count)} 项。`,
  changedMeanwhile: ({ username }) =>
    `预览之后有人修改了用户 ${username}，因此未做任何修改。请查看新的预览。`,
  noUser: ({ username }) => `没有用户名为 ${username} 的用户，因此未做任何修改。`,
  manyGuesses: ({ max, seconds }) => `此用户名在一分钟内输错了 ${max} 次密码，请在 ${seconds} 秒后重试。`,
  manyCodes: ({ count, minutes }) =>
    `密码正确，但验证码已连续输错 ${count} 次。请在 ${minutes} 分钟后重试，或使用恢复码。如果不是您本人输入的，说明有人知道您的密码，请修改密码。`,
  manyNewCodes: ({ count, minutes }) =>
    `验证码已连续输错 ${count} 次。请在 ${minutes} 分钟后重试，或重新开始设置两步验证。`,
  manyCalls: ({ perSecond }) => `每秒最多 ${perSecond} 次请求，请稍候再试。`,
  needsRole: ({ role, own }) => `此操作需要“${roles[role]}”身份，您是“${roles[own]}”。`,
  needsAllTenants: () => '此操作需要能够访问全部租户，您只能访问其中一部分。',
  otherOrigin: ({ sent, own }) =>
    `${sent === '' ? '浏览器没有说明请求来自哪个地址' : `请求来自 ${sent}`}，而服务器设置的控制台地址是 ${own}。`,
  linkEnded: () => '链接已使用过、已撤销、已过期，或从未存在。请索取新的链接。',
  linkOfDisabled: () => '此账号已停用。请联系所有者启用账号，然后重新打开链接。',
  noBackup: () => '还没有任何备份。请用 fieldroster backup --verify 生成一份。',
  backupElsewhere: ({ folder, file }) =>
    `此服务器无法访问备份所在的文件夹 ${folder}。请在能访问该文件夹的机器上运行 fieldroster backup verify ${file}。`,
  verifying: ({ file }) => `${file} 正在验证。`,
  invisibleInApplication: ({ character }) => `应用名称含有不可见字符或行分隔符 ${character}，请将其删除。`,
  invisibleInTenant: ({ character }) => `租户名称含有不可见字符或行分隔符 ${character}，请将其删除。`,
  tenantTaken: ({ name }) => `已有名为 ${name} 的租户。`,
  tenantLooksTaken: ({ name }) => `已有租户 ${name}，其名称看起来完全相同，只是字符编码不同。`,
  invisibleInOperator: ({ character }) => `用户名含有不可见字符或行分隔符 ${character}，请将其删除。`,
  operatorLooksTaken: ({ name }) => `已有操作员 ${name}，其用户名仅在大小写或字符编码上不同。`,
  commonPassword: () => '这是最常用的密码之一，攻击者会首先尝试。',
  wordsOfContext: ({ min }) =>
    `除去用户名、租户名称以及 fieldroster 之类的词，此密码剩下的字母不足 ${min} 个。`,
};
