import { Alert, Button, Group, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CallError, callDirectory } from '../../api/call.ts';
import { orgsQuery, rolesQuery } from '../../api/directory-lists.ts';
import { userKeys } from '../../api/stale-keys.ts';
import { useCanChange } from '../../api/use-can-change.ts';
import { useInvalidate } from '../../api/use-invalidate.ts';
import { type UserDetails, userQuery } from '../../api/user-query.ts';
import { type Id, parseId } from '../../api/wire.ts';
import { useTexts } from '../../i18n/texts.ts';
import { LoadedSelect } from '../../parts/fields/loaded-select.tsx';
import { orgOptions, roleOptions } from '../../parts/fields/target-options.ts';
import { FailureNotice } from '../../parts/notices/failure-notice.tsx';
import { notifyDone, notifyFailure } from '../../parts/notices/notify.ts';
import { SteadyButton } from '../../parts/page/steady-button.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { ProfileFields, useProfileTexts } from './profile-fields.tsx';
import { profileOf } from './profile-start.ts';
import { type ProfileValues, toProfile } from './profile-values.ts';
import type { ProfileDraft } from './use-profile-form.ts';

const revisionConflict = 1017;

interface Props {
  readonly details: UserDetails;
  readonly draft: ProfileDraft;
}

/** The profile, the role and the organization of a user, to read and to change. */
export function UserProfile({ details, draft }: Props) {
  const { users } = useTexts();
  const canChange = useCanChange();
  return (
    <Stack gap="lg">
      {!canChange && <Text c="dimmed">{users.viewer}</Text>}
      <div>
        <Placement details={details} />
        {canChange && (
          <Text size="xs" c="dimmed" mt={4}>
            {users.placementHelp}
          </Text>
        )}
      </div>
      <ProfileForm details={details} draft={draft} />
    </Stack>
  );
}

const savingKey = (id: Id) => ['save-profile', String(id)];

/** Returns whether a profile is on its way to the server, even if another tab has taken the place of its form. */
export function useIsSavingProfile(id: Id): boolean {
  return useIsMutating({ mutationKey: savingKey(id) }) > 0;
}

function ProfileForm({ details, draft: { form, expectRevision, noteSaved } }: Props) {
  const { users, general } = useTexts();
  const tenant = useTenant();
  const client = useQueryClient();
  const invalidate = useInvalidate();
  const canChange = useCanChange();
  const { id } = details.user;
  const mutation = useMutation({
    mutationKey: savingKey(id),
    mutationFn: async ({ profile, force }: { profile: ProfileValues; force: boolean }) => {
      const reload = () => client.fetchQuery({ ...userQuery(tenant, id), staleTime: 0 });
      return callDirectory('updateUser', tenant, {
        id,
        ...toProfile(profile),
        ...(!force && { if_revision: await expectRevision(profile, reload) }),
      });
    },
    onSuccess(_, { profile }) {
      noteSaved(profile);
      invalidate(...userKeys);
      notifyDone(users.saved);
    },
  });
  const isConflict = mutation.error instanceof CallError && mutation.error.code === revisionConflict;
  return (
    <form onSubmit={form.onSubmit((profile) => mutation.mutate({ profile, force: false }))}>
      <Stack gap="sm">
        <ProfileFields form={form} readOnly={!canChange} />
        {isConflict && (
          <Conflict
            since={mutation.submittedAt}
            mine={form.values}
            id={id}
            onMine={() => mutation.mutate({ profile: form.values, force: true })}
            onTheirs={(theirs) => {
              form.setValues(theirs);
              form.resetDirty(theirs);
              mutation.reset();
              client.invalidateQueries({ queryKey: ['user', String(tenant), String(id)] });
            }}
          />
        )}
        {mutation.isError && !isConflict && <FailureNotice error={mutation.error} />}
        {canChange && (
          <Group justify="flex-end">
            <SteadyButton type="submit" isIdle={!form.isDirty()} loading={mutation.isPending}>
              {general.save}
            </SteadyButton>
          </Group>
        )}
      </Stack>
    </form>
  );
}

interface ConflictProps {
  readonly id: UserDetails['user']['id'];
  /** When the refused change was sent. Each conflict loads the version that it is about. */
  readonly since: number;
  readonly mine: ProfileValues;
  readonly onMine: () => void;
  readonly onTheirs: (theirs: ProfileValues) => void;
}

/** Shows both versions of a user that somebody else has changed since it was loaded. */
function Conflict({ id, since, mine, onMine, onTheirs }: ConflictProps) {
  const { users } = useTexts();
  const { labels, genders } = useProfileTexts();
  const tenant = useTenant();
  const { data, error, refetch } = useQuery({
    ...userQuery(tenant, id),
    queryKey: ['user-now', String(tenant), String(id), String(since)],
    gcTime: 0,
  });
  if (data === undefined)
    return error === null ? null : <FailureNotice error={error} onRetry={() => refetch()} />;
  const theirs = profileOf(data);
  const differing = (Object.keys(mine) as (keyof ProfileValues)[]).filter(
    (name) => mine[name] !== theirs[name],
  );
  const show = (values: ProfileValues, name: keyof ProfileValues) =>
    name === 'gender' ? genders[Number(values.gender)] : values[name];
  return (
    <Alert color="yellow" variant="light" role="alert" title={users.conflict}>
      {users.conflictHelp}
      <Table mt="xs" withRowBorders={false}>
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            <Table.Th>{users.yours}</Table.Th>
            <Table.Th>{users.theirs}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {differing.map((name) => (
            <Table.Tr key={name}>
              <Table.Th>{labels[name]}</Table.Th>
              <Table.Td>{show(mine, name)}</Table.Td>
              <Table.Td>{show(theirs, name)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group mt="xs">
        <Button onClick={onMine}>{users.keepMine}</Button>
        <Button variant="default" onClick={() => onTheirs(theirs)}>
          {users.takeTheirs}
        </Button>
      </Group>
    </Alert>
  );
}

/** The role and the organization, which take effect as they are chosen. */
function Placement({ details }: Pick<Props, 'details'>) {
  const { users } = useTexts();
  const tenant = useTenant();
  const canChange = useCanChange();
  const { user } = details;
  const roles = useQuery(rolesQuery(tenant));
  const orgs = useQuery(orgsQuery(tenant));
  const [role] = user.roles;
  const [org] = user.orgs;
  const roleChange = useBinding(users.roleChanged, (value) => {
    const next = parseId(value);
    if (next !== undefined) return callDirectory('bindUserRole', tenant, { user_id: user.id, role_id: next });
    return callDirectory('unbindUserRole', tenant, { user_id: user.id, role_id: role?.id ?? 0 });
  });
  const orgChange = useBinding(users.orgChanged, (value) => {
    const next = parseId(value);
    if (next !== undefined) return callDirectory('bindUserOrg', tenant, { user_id: user.id, org_id: next });
    return callDirectory('unbindUserOrg', tenant, { user_id: user.id, org_id: org?.id ?? 0 });
  });
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" data-read-only={!canChange}>
      <LoadedSelect
        label={users.role}
        placeholder={users.noRole}
        clearable
        readOnly={!canChange}
        query={roles}
        options={roleOptions(roles.data ?? user.roles)}
        value={role === undefined ? null : String(role.id)}
        onChange={(value) => roleChange.mutate(value ?? undefined)}
        disabled={roleChange.isPending}
      />
      <LoadedSelect
        label={users.org}
        placeholder={users.noOrg}
        clearable
        searchable
        // The field is disabled while a choice is saved. The focus that then returns to it would open the list again.
        openOnFocus={false}
        limit={200}
        readOnly={!canChange}
        query={orgs}
        options={orgOptions(orgs.data ?? user.orgs)}
        value={org === undefined ? null : String(org.id)}
        onChange={(value) => orgChange.mutate(value ?? undefined)}
        disabled={orgChange.isPending}
      />
    </SimpleGrid>
  );
}

function useBinding(done: string, change: (value: string | undefined) => Promise<unknown>) {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: change,
    onError: notifyFailure,
    onSuccess() {
      invalidate(...userKeys);
      notifyDone(done);
    },
  });
}
