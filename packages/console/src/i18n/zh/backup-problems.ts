import { sayReason } from './reasons.ts';

/** 备份验证失败的原因。服务器给出的是英文句子。 */
const problems: readonly (readonly [RegExp, string])[] = [
  [/\bthere is no file\b/, '备份文件不存在，可能已被移走或删除。请重新备份。'],
  [/ may not be read by this user\b/, '服务器没有权限读取备份文件。请检查该文件及其文件夹的所有者和权限。'],
  [/ is a folder\b/, '备份所在的路径是文件夹，不是文件。请重新备份。'],
  [/ is not a regular file\b/, '备份所在的路径不是普通文件。请重新备份。'],
  [/ is not a Fieldroster backup\b/, '该文件不是 Fieldroster 的备份，或者文件开头已损坏。请重新备份。'],
  [/ is empty$/, '备份文件为空。请重新备份。'],
  [/ is damaged or truncated\b/, '备份文件已损坏或不完整。请立即重新备份，恢复时使用其他备份。'],
  [/ was made by the newer release\b/, '备份由更新的版本生成，本版本无法读取。请用那个版本验证。'],
  [/ was not restored correctly\b/, '恢复后的数据与备份不一致。请立即重新备份，恢复时使用其他备份。'],
  [/ restores has faults\b/, '恢复后的数据库有错误。请立即重新备份，恢复时使用其他备份。'],
  [/\bthe server was stopped before it ended\b/, '服务器在验证完成之前停止了。请重新验证。'],
  [/\bits process ended before the verification did\b/, '验证进程在完成之前就结束了。请重新验证。'],
];

interface SaidProblem {
  readonly message: string;
  /** 英文原文，其中有文件名和细节。 */
  readonly original: string;
}

/** 用中文说明备份为什么没有通过验证。 */
export function sayBackupProblem(original: string): SaidProblem {
  const [, message] = problems.find(([pattern]) => pattern.test(original)) ?? [];
  return { message: message ?? `无法完成验证${sayReason(original).inBrackets}。`, original };
}
