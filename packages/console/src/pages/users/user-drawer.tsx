import { Badge, Group, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { callDirectory } from '../../api/call.ts';
import { type Id, parseId } from '../../api/wire.ts';
import { useTexts } from '../../i18n/texts.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageDrawer } from '../../parts/page-drawer.tsx';
import { StatusDot } from '../../parts/status-dot.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { UserActions } from './user-actions.tsx';
import { UserAssignments } from './user-assignments.tsx';
import { UserHistory } from './user-history.tsx';
import { UserProfile } from './user-profile.tsx';
import { userQuery } from './user-query.ts';

/** One user beside the list, at an address of its own. */
export function UserDrawer() {
  const texts = useTexts();
  const tenant = useTenant();
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const { user } = useParams({ strict: false });
  const id = parseId(user);
  const close = () =>
    navigate({ to: '/t/$tenant/users', params: { tenant: String(tenant) }, search: search as object });
  return (
    <PageDrawer title={id === undefined ? texts.failure.notFound : <UserTitle id={id} />} onClose={close}>
      {id !== undefined && <UserDetails key={String(id)} id={id} onDeleted={close} />}
    </PageDrawer>
  );
}

function UserTitle({ id }: { readonly id: Id }) {
  const { general } = useTexts();
  const tenant = useTenant();
  const { data } = useQuery(userQuery(tenant, id));
  if (data === undefined) return <Skeleton height={36} width={200} />;
  return (
    <Group gap="md">
      <div>
        <Text size="lg" fw={600} span display="block">
          {data.user.real_name || data.user.username}
        </Text>
        <Text size="xs" c="dimmed" span>
          {data.user.username} · {String(id)}
        </Text>
      </div>
      {data.status !== undefined && (
        <StatusDot tone={data.status === 'active' ? 'good' : 'off'} word={general[data.status]} />
      )}
    </Group>
  );
}

interface DetailsProps {
  readonly id: Id;
  readonly onDeleted: () => void;
}

function UserDetails({ id, onDeleted }: DetailsProps) {
  const { users } = useTexts();
  const tenant = useTenant();
  const query = useQuery(userQuery(tenant, id));
  const stores = useQuery({
    queryKey: ['user-stores', String(tenant), String(id)],
    queryFn: ({ signal }) => callDirectory('queryUserStores', tenant, { user_id: id }, { signal }),
  });
  if (query.isError) return <FailureNotice error={query.error} onRetry={() => query.refetch()} />;
  if (query.data === undefined) return <Skeleton height={240} />;
  const { user } = query.data;
  return (
    <Stack gap="md">
      <UserActions details={query.data} onDeleted={onDeleted} />
      <Tabs defaultValue="profile" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="profile">{users.profile}</Tabs.Tab>
          <Tabs.Tab
            value="stores"
            rightSection={
              <Badge size="xs" variant="light" color="gray">
                {stores.data?.stores.length ?? ''}
              </Badge>
            }
          >
            {users.stores}
          </Tabs.Tab>
          <Tabs.Tab value="history">{users.history}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="profile">
          <UserProfile details={query.data} />
        </Tabs.Panel>
        <Tabs.Panel value="stores">
          <UserAssignments user={user} stores={stores.data?.stores} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <UserHistory id={id} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
