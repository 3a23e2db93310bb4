import type { AnswerText, ValuesIn } from '../read-answer.ts';

/** 服务器对所收到的值的说法。可直接接在汉字之后：非汉字的说法以空格开头。 */
const kinds: Readonly<Record<string, string>> = {
  'a string': '文本',
  'a number': '数字',
  'a boolean': '布尔值',
  'an array': '列表',
  'an object': ' JSON 对象',
  null: ' null',
  'beyond the range of a double': '超出双精度范围的数',
  'a fraction that a double would round': '双精度无法准确表示的小数',
};

export const kindOf = (value: string) => kinds[value] ?? ` ${value}`;

/** 规则之后写明值的种类而不是值本身的响应，每个种类一条，以免与写明值的响应混淆。 */
export function ofEachKind<Rule extends string>(
  rule: Rule,
  say: (values: ValuesIn<Rule>, kind: string) => string,
): AnswerText[] {
  return Object.entries(kinds).map(([english, kind]) => ({
    pattern: `${rule}; it is ${english}`,
    say: (values) => say(values as ValuesIn<Rule>, kind),
  }));
}
