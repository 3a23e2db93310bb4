import { Text } from '@mantine/core';
import { AnswerLostError, CallError, PerhapsDoneError, UnreachableError } from '../../api/call.ts';
import { sayProblem, type Wrong } from '../../i18n/say-problem.ts';
import { type Language, useLanguage, useTexts } from '../../i18n/texts.ts';

interface Props {
  readonly error: unknown;
}

/** Refusals whose sentence adds nothing to the text here: it names an id, or only what the signed interface has. */
const withoutDetails: readonly number[] = [1015, 1203, 1303, 1403, 1601, 1602, 1603];

/** Why something failed, in the reader's language. */
export function FailureText({ error }: Props) {
  const { language, texts } = useLanguage();
  const { failure } = texts;
  if (error instanceof UnreachableError)
    return <Text size="sm">{error.isChange ? failure.unreachableChange : failure.unreachableHelp}</Text>;
  if (error instanceof AnswerLostError)
    return <Text size="sm">{failure.answersLost[error.operation] ?? failure.answerLostHelp}</Text>;
  if (error instanceof PerhapsDoneError)
    return <Text size="sm">{failure.perhapsDoneHelps[error.operation] ?? failure.perhapsDoneHelp}</Text>;
  const { message } = error as Error;
  const code = error instanceof CallError ? error.code : 0;
  const known = (texts.refusals as Readonly<Record<number, string>>)[code];
  const said = sayProblem(texts, error as Wrong);
  if (known === undefined)
    return <Unknown said={said ?? message} isForeign={isForeign(said, code, language)} />;
  const details = said ?? (language === 'en' && !withoutDetails.includes(code) ? message : undefined);
  return (
    <>
      <Text size="sm">{known}</Text>
      {details !== undefined && (
        <Text size="xs" c="dimmed" mt={4}>
          {details}
        </Text>
      )}
    </>
  );
}

/** Returns whether what the server said is in a language other than the page's. Without a code, the page itself says it. */
function isForeign(said: string | undefined, code: number, language: Language): boolean {
  return said === undefined && code !== 0 && language !== 'en';
}

interface UnknownProps {
  readonly said: string;
  readonly isForeign: boolean;
}

/** Shows a failure of which the page knows nothing but the server's sentence. */
function Unknown({ said, isForeign }: UnknownProps) {
  const { failure } = useTexts();
  if (!isForeign) return <Text size="sm">{said}</Text>;
  return (
    <>
      <Text size="sm">{failure.inEnglish}</Text>
      <Text size="xs" c="dimmed" mt={4} lang="en">
        {said}
      </Text>
    </>
  );
}
