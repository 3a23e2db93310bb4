import { Button, Container, Title, VisuallyHidden } from '@mantine/core';
import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { useTexts } from '../../i18n/texts.ts';
import { isMissingPart } from '../../parts/loading/load-part.ts';
import { EmptyState } from '../../parts/notices/empty-state.tsx';
import { FailureNotice } from '../../parts/notices/failure-notice.tsx';
import { FloatingNotice } from '../../parts/notices/floating-notice.tsx';
import { OutdatedNotice } from '../../parts/notices/outdated-notice.tsx';
import { useTitle } from '../../parts/page/use-title.ts';
import { useTenant } from '../../parts/use-tenant.ts';

/** Shown for an address that no page has. */
export function NotFoundPage() {
  const { failure } = useTexts();
  const tenant = useTenant();
  useTitle(failure.notFound);
  const action = (
    <Button component={Link} to={`/t/${tenant}`}>
      {failure.toOverview}
    </Button>
  );
  return <EmptyState title={failure.notFound} titleOrder={1} help={failure.notFoundHelp} action={action} />;
}

/** Shown in place of a page that cannot be loaded. */
export function FailurePage(props: ErrorComponentProps) {
  const { failure } = useTexts();
  const title = isMissingPart(props.error) ? failure.outdated : failure.title;
  useTitle(title);
  return (
    <Container size="sm" py="xl">
      <VisuallyHidden>
        <Title order={1}>{title}</Title>
      </VisuallyHidden>
      <Failure {...props} />
    </Container>
  );
}

/** Shown above a list when the drawer of one of its entries cannot be loaded. */
export function FailedEntry(props: ErrorComponentProps) {
  return (
    <FloatingNotice>
      <Failure {...props} />
    </FloatingNotice>
  );
}

function Failure({ error, reset }: ErrorComponentProps) {
  return isMissingPart(error) ? <OutdatedNotice /> : <FailureNotice error={error} onRetry={reset} />;
}
