import { Button, Container } from '@mantine/core';
import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { useTexts } from '../../i18n/texts.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';

/** Shown for an address that no page has. */
export function NotFoundPage() {
  const { failure } = useTexts();
  const action = (
    <Button component={Link} to="/">
      {failure.toOverview}
    </Button>
  );
  return <EmptyState title={failure.notFound} help={failure.notFoundHelp} action={action} />;
}

/** Shown in place of a page that cannot be loaded. */
export function FailurePage({ error, reset }: ErrorComponentProps) {
  return (
    <Container size="sm" py="xl">
      <FailureNotice error={error} onRetry={reset} />
    </Container>
  );
}
