import { Text } from '@mantine/core';
import { CallError, UnreachableError } from '../api/call.ts';
import { useTexts } from '../i18n/texts.ts';

interface Props {
  readonly error: unknown;
}

/** Why something failed, in the reader's language where the code is a known one. */
export function FailureText({ error }: Props) {
  const { failure, refusals } = useTexts();
  if (error instanceof UnreachableError) return <Text size="sm">{failure.unreachableHelp}</Text>;
  const { message } = error as Error;
  const known = error instanceof CallError ? refusals[error.code] : undefined;
  if (known === undefined) return <Text size="sm">{message}</Text>;
  return (
    <>
      <Text size="sm">{known}</Text>
      <Text size="xs" c="dimmed" mt={4} lang="en">
        {message}
      </Text>
    </>
  );
}
