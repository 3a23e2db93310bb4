/** 系统和数据库最常给出的原因。 */
const causes: readonly (readonly [RegExp, string])[] = [
  [/\bE(?:ACCES|PERM)\b|^this user may not/, '没有权限'],
  [/\bENOENT\b|^it does not exist$/, '文件或文件夹不存在'],
  [/\bENOTDIR\b|^it is not a folder$/, '不是文件夹'],
  [/\bEISDIR\b/, '是文件夹，不是文件'],
  [/\bEROFS\b|read-?only (?:database|file system)/, '只能读取，不能写入'],
  [/\bENOSPC\b|disk is full/, '磁盘已满'],
  [/\bEIO\b|disk I\/O error/, '磁盘读写出错'],
  [/\bE[MN]FILE\b/, '打开的文件过多'],
  [/\bECONNREFUSED\b/, '连接被拒绝'],
  [/\bE(?:NOTFOUND|AI_AGAIN)\b/, '找不到主机'],
  [/\bE(?:TIMEDOUT|HOSTUNREACH|NETUNREACH)\b|timeout/i, '连接超时'],
  [/file is not a database/, '文件不是数据库'],
  [/malformed|is damaged/, '文件已损坏'],
  [/is locked|kept locked/, '被另一个进程锁定'],
  [/unable to open database file/, '无法打开文件'],
  [/password authentication failed/, '用户名或密码有误'],
  [/database ".*" does not exist/, '没有这个数据库'],
];

/** 例如 `EACCES: permission denied, open '/data/x'`：除上述原因和路径外别无内容。 */
const ofSystem =
  /^E[A-Z]+: [^,']+, [a-z]+ '[^']*'$|^it does not exist$|^it is not a folder$|^this user may not \w+ it$/;

interface SaidReason {
  /** 放在句中括号内的原因；没有对应说法时为空。 */
  readonly inBrackets: string;
  /** 是否还需要显示英文原文。 */
  readonly needsOriginal: boolean;
}

/** 用中文说明原因。原文是英文，只有它才说清楚时，须另行显示。 */
export function sayReason(reason: string): SaidReason {
  const [, said] = causes.find(([pattern]) => pattern.test(reason)) ?? [];
  if (said === undefined) return { inBrackets: '', needsOriginal: true };
  return { inBrackets: `（${said}）`, needsOriginal: !ofSystem.test(reason) };
}
