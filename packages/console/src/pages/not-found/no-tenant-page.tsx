import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { sessionQuery, useSession } from '../../api/session.ts';
import { useTexts } from '../../i18n/texts.ts';
import { FailureNotice } from '../../parts/notices/failure-notice.tsx';
import { VisitorCard } from '../../parts/page/visitor-card.tsx';
import { SignOutLink } from '../sign-in/sign-out-link.tsx';

/** Stands in place of the console for an operator who has no tenant, until the session names one. */
export function NoTenantPage() {
  const { failure, general } = useTexts();
  const { operator, tenants } = useSession();
  const { refetch, isFetching, error } = useQuery(sessionQuery);
  const router = useRouter();
  const hasTenant = tenants.length > 0;
  useEffect(() => {
    if (hasTenant) void router.invalidate();
  }, [hasTenant, router]);
  return (
    <VisitorCard title={failure.withoutTenant} help={failure.withoutTenantHelp(operator.username)}>
      <Stack gap="sm">
        {error !== null && <FailureNotice error={error} />}
        <Button size="sm" loading={isFetching} onClick={() => refetch()}>
          {general.retry}
        </Button>
      </Stack>
      <SignOutLink />
    </VisitorCard>
  );
}
