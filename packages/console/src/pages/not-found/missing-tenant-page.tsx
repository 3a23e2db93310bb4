import { Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useSession } from '../../api/session.ts';
import { useTexts } from '../../i18n/texts.ts';
import { EmptyState } from '../../parts/notices/empty-state.tsx';
import { useTitle } from '../../parts/page/use-title.ts';

/** The most tenants to link to; the field above the page offers all. */
const linksMax = 10;

/** Shown for every address of a tenant that does not exist, or that the operator does not see. */
export function MissingTenantPage() {
  const { failure } = useTexts();
  const { tenants } = useSession();
  useTitle(failure.noTenant);
  const links = (
    <Stack align="center" gap="xs">
      {tenants.slice(0, linksMax).map(({ id, name }) => (
        <Link key={String(id)} to="/t/$tenant" params={{ tenant: String(id) }}>
          {name}
        </Link>
      ))}
    </Stack>
  );
  return <EmptyState title={failure.noTenant} titleOrder={1} help={failure.noTenantHelp} action={links} />;
}
