import { Alert, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { callConsole } from '../../api/call.ts';
import type { QueriedUser } from '../../api/user-query.ts';
import { nameOf } from '../../api/user-search-query.ts';
import type { Id } from '../../api/wire.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import { ActorName } from '../../parts/values/actor-name.tsx';
import { readChange } from '../../parts/values/read-change.ts';
import { RelativeTime } from '../../parts/values/relative-time.tsx';

/** A bulk change, and later operations, record the status too. */
const recentEventsMax = 50;

const disablingQuery = (tenant: Id, id: Id) =>
  queryOptions({
    queryKey: ['audit', String(tenant), 'status', String(id)],
    queryFn: async ({ signal }) => {
      const input = { user_id: id, limit: recentEventsMax };
      const { events } = await callConsole('listEvents', input, tenant, { signal });
      return events.find(({ changes }) => isDisabling(changes.status)) ?? null;
    },
  });

function isDisabling(status: unknown): boolean {
  const change = readChange(status);
  return change.kind === 'replaced' && change.to === 'disabled';
}

/** Says that a disabled user cannot sign in, and who disabled them, as far as the audit trail knows. */
export function DisabledNotice({ user }: { readonly user: QueriedUser }) {
  const { users } = useTexts();
  const { data: event } = useQuery(disablingQuery(useTenant(), user.id));
  return (
    <Alert color="yellow" variant="light" title={users.cannotSignIn(nameOf(user))}>
      {users.cannotSignInHelp}
      {event && (
        <Text size="sm" mt={4}>
          {users.disabledBy(
            <ActorName key="actor" actor={event.actor} />,
            <RelativeTime key="time" at={event.at} />,
          )}
        </Text>
      )}
    </Alert>
  );
}
