import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { AnswerLostError, CallError, PerhapsDoneError, UnreachableError } from '../../api/call.ts';
import { type Texts, useTexts } from '../../i18n/texts.ts';
import { FailureText } from './failure-text.tsx';

interface Props {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** The room that a list at a desk leaves below it for a notice. */
export const failureNoticeRem = 11;

/** Says what went wrong in place of the content, and offers to try again. */
export function FailureNotice({ error, onRetry }: Props) {
  const { general, failure } = useTexts();
  return (
    <Alert
      color={error instanceof AnswerLostError || error instanceof PerhapsDoneError ? 'yellow' : 'red'}
      variant="light"
      role="alert"
      icon={<IconAlertTriangle size="1.125rem" />}
      title={titleOf(error, failure)}
    >
      <FailureText error={error} />
      {error instanceof CallError && error.requestId !== '' && (
        <Text size="xs" c="dimmed" mt={4}>
          {failure.requestId(error.requestId)}
        </Text>
      )}
      {onRetry !== undefined && (
        <Group mt="xs">
          <Button variant="default" onClick={onRetry}>
            {general.retry}
          </Button>
        </Group>
      )}
    </Alert>
  );
}

function titleOf(error: unknown, failure: Texts['failure']): string {
  if (error instanceof UnreachableError) return failure.unreachable;
  if (error instanceof PerhapsDoneError) return failure.perhapsDone;
  return error instanceof AnswerLostError ? failure.answerLost : failure.title;
}
