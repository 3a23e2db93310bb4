import { Badge, Group, Skeleton, Stack, Tabs, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type UserDetails as Details, userQuery } from '../../api/user-query.ts';
import { nameOf } from '../../api/user-search-query.ts';
import { userStoresQuery } from '../../api/user-stores-query.ts';
import { type Id, parseId } from '../../api/wire.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useDiscardGuard } from '../../parts/fields/use-discard-guard.tsx';
import { FailureNotice } from '../../parts/notices/failure-notice.tsx';
import { MissingNotice } from '../../parts/notices/missing-notice.tsx';
import { PageDrawer } from '../../parts/page/page-drawer.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { StatusDot } from '../../parts/values/status-dot.tsx';
import { DisabledNotice } from './disabled-notice.tsx';
import { isUserMissing, MissingUser, MissingUserName } from './missing-user.tsx';
import { SignInTrouble } from './sign-in-trouble.tsx';
import { useProfileForm } from './use-profile-form.ts';
import { useUserSearch } from './use-user-search.ts';
import { UserActions } from './user-actions.tsx';
import { UserAssignments } from './user-assignments.tsx';
import { UserHistory } from './user-history.tsx';
import { UserProfile, useIsSavingProfile } from './user-profile.tsx';

/** One user beside the list, at its own address. */
export function UserDrawer() {
  const { users } = useTexts();
  const tenant = useTenant();
  const search = useUserSearch();
  const navigate = useNavigate();
  const { user } = useParams({ strict: false });
  // It stays while the reader goes from one row of the list to the next.
  const [tab, setTab] = useState<string | null>('profile');
  const id = parseId(user);
  const { data } = useQuery({ ...userQuery(tenant, id ?? 0), enabled: id !== undefined });
  const toList = (isDeleted: boolean) =>
    navigate({
      to: '/t/$tenant/users',
      params: { tenant: String(tenant) },
      search,
      ignoreBlocker: isDeleted,
    });
  return (
    <PageDrawer
      title={id === undefined ? (user ?? '') : <UserTitle id={id} />}
      onClose={() => toList(false)}
      pageTitle={data && nameOf(data.user)}
    >
      {id === undefined ? (
        <MissingNotice title={users.unknown} help={users.unknownHelp} />
      ) : (
        <UserDetails key={String(id)} id={id} tab={tab} onTab={setTab} onDeleted={() => toList(true)} />
      )}
    </PageDrawer>
  );
}

function UserTitle({ id }: { readonly id: Id }) {
  const { audit, general } = useTexts();
  const tenant = useTenant();
  const { data, error } = useQuery(userQuery(tenant, id));
  if (isUserMissing(error)) return <MissingUserName id={id} />;
  if (data === undefined) {
    return (
      <>
        <VisuallyHidden>{audit.user(String(id))}</VisuallyHidden>
        <Skeleton height={36} width={200} />
      </>
    );
  }
  return (
    <Group gap="md">
      <div>
        <Text size="lg" fw={600} span display="block">
          {data.user.real_name || data.user.username}
        </Text>
        <Text size="xs" c="dimmed" span>
          {data.user.username} · {general.id(String(id))}
        </Text>
      </div>
      <StatusDot tone={data.status === 'active' ? 'good' : 'off'} word={general[data.status]} />
    </Group>
  );
}

interface DetailsProps {
  readonly id: Id;
  readonly tab: string | null;
  readonly onTab: (tab: string | null) => void;
  readonly onDeleted: () => void;
}

function UserDetails({ id, ...others }: DetailsProps) {
  const query = useQuery(userQuery(useTenant(), id));
  if (isUserMissing(query.error)) return <MissingUser id={id} />;
  const failure = query.isError && <FailureNotice error={query.error} onRetry={() => query.refetch()} />;
  if (query.data === undefined) return failure || <Skeleton height={240} />;
  // A failed reload is shown above the tabs and not in their place, so that typed text stays.
  return (
    <Stack gap="md">
      {failure}
      <UserTabs details={query.data} {...others} />
    </Stack>
  );
}

interface TabsProps extends Omit<DetailsProps, 'id'> {
  readonly details: Details;
}

function UserTabs({ details, tab, onTab, onDeleted }: TabsProps) {
  const { users } = useTexts();
  const tenant = useTenant();
  const draft = useProfileForm(details);
  const { user } = details;
  const guard = useDiscardGuard(draft.form.isDirty(), useIsSavingProfile(user.id) ? 'sending' : 'typed');
  const stores = useQuery(userStoresQuery(tenant, user.id));
  return (
    <Stack gap="md">
      {guard.question}
      <div>
        <UserActions details={details} stores={stores.data?.stores.length} onDeleted={onDeleted} />
        <SignInTrouble />
      </div>
      {details.status === 'disabled' && <DisabledNotice user={user} />}
      <Tabs value={tab} onChange={onTab} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="profile">{users.profile}</Tabs.Tab>
          <Tabs.Tab
            value="stores"
            rightSection={
              stores.data && (
                <Badge size="xs" variant="light" color="gray">
                  {stores.data.stores.length}
                </Badge>
              )
            }
          >
            {users.stores}
          </Tabs.Tab>
          <Tabs.Tab value="history">{users.history}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="profile">
          <UserProfile details={details} draft={draft} />
        </Tabs.Panel>
        <Tabs.Panel value="stores">
          <UserAssignments user={user} query={stores} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <UserHistory id={user.id} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
