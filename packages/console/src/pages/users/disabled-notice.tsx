import { Alert } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { callConsole } from '../../api/call.ts';
import type { QueriedUser } from '../../api/user-query.ts';
import { nameOf } from '../../api/user-search-query.ts';
import type { Id } from '../../api/wire.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import { ChangeHeading } from '../../parts/values/change-heading.tsx';

const lastStatusChangeQuery = (tenant: Id, id: Id) =>
  queryOptions({
    queryKey: ['audit', String(tenant), 'status', String(id)],
    queryFn: async ({ signal }) => {
      const input = { user_id: id, operation: 'set-user-status', limit: 1 };
      const { events } = await callConsole('listEvents', input, tenant, { signal });
      return events[0] ?? null;
    },
  });

/** Says that a disabled user cannot log in, and who disabled them, as far as the audit trail knows. */
export function DisabledNotice({ user }: { readonly user: QueriedUser }) {
  const { users } = useTexts();
  const { data: event } = useQuery(lastStatusChangeQuery(useTenant(), user.id));
  return (
    <Alert color="yellow" variant="light" title={users.cannotLogIn(nameOf(user))}>
      {users.cannotLogInHelp}
      {event && <ChangeHeading {...event} />}
    </Alert>
  );
}
