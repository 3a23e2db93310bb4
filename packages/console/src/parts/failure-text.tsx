import { Text } from '@mantine/core';
import { AnswerLostError, CallError, UnreachableError } from '../api/call.ts';
import { sayProblem, type Wrong } from '../i18n/say-problem.ts';
import { useTexts } from '../i18n/texts.ts';

interface Props {
  readonly error: unknown;
}

/** Refusals whose sentence is always the same, so that it adds nothing to the text here. */
const withoutDetails: readonly number[] = [1601, 1602];

/** Why something failed, in the reader's language where the code is a known one. */
export function FailureText({ error }: Props) {
  const texts = useTexts();
  const { failure, refusals } = texts;
  if (error instanceof UnreachableError)
    return <Text size="sm">{error.isChange ? failure.unreachableChange : failure.unreachableHelp}</Text>;
  if (error instanceof AnswerLostError)
    return <Text size="sm">{failure.answersLost[error.operation] ?? failure.answerLostHelp}</Text>;
  const { message } = error as Error;
  const code = error instanceof CallError ? error.code : 0;
  const known = refusals[code];
  const said = sayProblem(texts, error as Wrong);
  if (known === undefined) return <Text size="sm">{said ?? message}</Text>;
  return (
    <>
      <Text size="sm">{known}</Text>
      {!withoutDetails.includes(code) && (
        <Text size="xs" c="dimmed" mt={4} {...(said === undefined && { lang: 'en' })}>
          {said ?? message}
        </Text>
      )}
    </>
  );
}
