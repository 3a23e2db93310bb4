import type { RequestFault } from '@fieldroster/signing';
import { written } from '../written.ts';

const ruleOfTimestamp = '应为 Unix 纪元以来的整秒数，即 1 到 16 位数字';

/** 说明请求本身的问题：请求头或查询参数有误，因此无法生成待签名字符串。 */
export function sayRequestFault(fault: RequestFault): string {
  if ('header' in fault) return sayHeaderFault(fault);
  if (fault.kind === 'too-many-parameters') return `查询参数超过 ${fault.max} 个，请减少参数。`;
  const { kind, parameter, isBare = false } = fault;
  const name = isBare ? '查询中有一段没有值的文字' : '有一个参数名';
  if (kind === 'name-character')
    return `${parameter === undefined ? name : `参数名 ${parameter} `}含有“=”、“&”或控制字符，参数名不能含有这些字符。`;
  const place = parameter === undefined ? name : `参数 ${parameter} 的值`;
  const { at } = fault;
  return kind === 'loose-percent'
    ? `${place}含有“%”，但其后不是两位十六进制数字${at === undefined ? '' : `，位置在 ${at}`}。`
    : `${place}含有百分号编码的字节，但不是 UTF-8${at === undefined ? '' : `，位置在 ${at} 或其后`}。`;
}

function sayHeaderFault(fault: Extract<RequestFault, { header: string }>): string {
  const { header } = fault;
  switch (fault.kind) {
    case 'missing':
      return `缺少 ${header}。`;
    case 'empty':
      return `${header} 为空。`;
    case 'nanoseconds':
      return `${header} 像是纳秒，${ruleOfTimestamp}。`;
    case 'too-many-digits':
      return `${header} 有 ${fault.digits} 位数字，${ruleOfTimestamp}。`;
    case 'not-seconds':
      return `${header} 不是秒数，${ruleOfTimestamp}。`;
    case 'line-feed':
      return `${header} 含有换行符，只能使用可见字符。`;
    case 'repeated':
      return `${header} 发送了 ${fault.times} 次，只能发送一次。`;
    case 'too-long':
      return `${header} 有 ${written(fault.characters)} 个字符，最多 ${fault.max} 个。`;
  }
}
