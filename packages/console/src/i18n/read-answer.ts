/** Says in another language what one of the interface's English answers says. */
export interface AnswerText {
  /** The answer, with names in braces where its values are: `no user has {key}`. */
  readonly pattern: string;
  readonly say: (values: Readonly<Record<string, string>>) => string;
}

type NamesIn<Pattern extends string> = Pattern extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The values that a pattern names. */
export type ValuesIn<Pattern extends string> = Readonly<Record<NamesIn<Pattern>, string>>;

/** Makes a text whose sentence can use only the values that its pattern names. */
export function answerText<Pattern extends string>(
  pattern: Pattern,
  say: (values: ValuesIn<Pattern>) => string,
): AnswerText {
  return { pattern, say: say as AnswerText['say'] };
}

/** Returns the values in an answer by their names in the pattern; `undefined` if it is another answer. */
export function readAnswer(pattern: string, answer: string): Readonly<Record<string, string>> | undefined {
  const [start = '', ...pieces] = pattern.split('{');
  if (!answer.startsWith(start)) return undefined;
  const values: Record<string, string> = {};
  let rest = answer.slice(start.length);
  for (const [index, piece] of pieces.entries()) {
    const [name = '', after = ''] = piece.split('}');
    const end = endOfValue(rest, after, index === pieces.length - 1);
    if (end <= 0) return undefined;
    values[name] = rest.slice(0, end);
    rest = rest.slice(end + after.length);
  }
  return rest === '' && isPlausible(values) ? values : undefined;
}

const number = /^-?\d[\d.eE+-]*$/;

/** The name of a field has no space, and a number is one; a part of another answer must not pass for it. */
function isPlausible({ field = '', other = '', ...values }: Readonly<Record<string, string>>): boolean {
  const numbers = numberNames.map((name) => values[name]);
  return (
    !`${field}${other}`.includes(' ') && numbers.every((value) => value === undefined || number.test(value))
  );
}

const numberNames = ['min', 'max', 'count', 'children'];

function endOfValue(rest: string, after: string, isLast: boolean): number {
  if (!isLast) return rest.indexOf(after);
  return rest.endsWith(after) ? rest.length - after.length : -1;
}
