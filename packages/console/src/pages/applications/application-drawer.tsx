import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Fragment } from 'react';
import { type Application, applicationsQuery, lastUsedAt } from '../../api/applications-query.ts';
import { callConsole } from '../../api/call.ts';
import { useCanChange } from '../../api/use-can-change.ts';
import { useInvalidate } from '../../api/use-invalidate.ts';
import { useTexts } from '../../i18n/texts.ts';
import { TypedConfirmation } from '../../parts/fields/typed-confirmation.tsx';
import { LoadState } from '../../parts/notices/load-state.tsx';
import { MissingNotice } from '../../parts/notices/missing-notice.tsx';
import { notifyDone, notifyFailure } from '../../parts/notices/notify.ts';
import { closeOffersAbout, notifyWithUndo } from '../../parts/notices/notify-with-undo.tsx';
import { PageDrawer } from '../../parts/page/page-drawer.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { ExactTime } from '../../parts/values/exact-time.tsx';
import { FactList } from '../../parts/values/fact-list.tsx';
import styles from './application-calls.module.css';
import { ApplicationCalls } from './application-calls.tsx';
import { ApplicationStatus } from './application-status.tsx';
import { EditApplication } from './edit-application.tsx';
import { RotateSecret } from './rotate-secret.tsx';

/** One application beside the list, at its own address. */
export function ApplicationDrawer() {
  const { applications } = useTexts();
  const tenant = useTenant();
  const navigate = useNavigate();
  const { application: appId } = useParams({ strict: false });
  const isShown = ({ app_id }: Application) => app_id === appId;
  const query = useQuery({
    ...applicationsQuery(tenant),
    // It may have been issued since the list was fetched.
    refetchOnMount: ({ state }) => state.data?.some(isShown) === true || 'always',
  });
  const application = query.data?.find(isShown);
  const isMissing = application === undefined && query.isSuccess && !query.isFetching;
  const close = () => navigate({ to: '/t/$tenant/applications', params: { tenant: String(tenant) } });
  return (
    <PageDrawer title={application?.name ?? appId ?? ''} onClose={close} pageTitle={application?.name}>
      <LoadState query={query} height={200} />
      {isMissing && <MissingNotice title={applications.unknown} help={applications.unknownHelp} />}
      {application !== undefined && <Details key={application.app_id} application={application} />}
    </PageDrawer>
  );
}

interface Props {
  readonly application: Application;
}

function Details({ application }: Props) {
  const facts = useFacts(application);
  return (
    <Stack gap="lg">
      <Actions application={application} />
      <FactList facts={facts} />
      <ApplicationCalls appId={application.app_id} usedAtMs={lastUsedAt(application)} />
      <Secrets application={application} />
    </Stack>
  );
}

/** Returns the facts of an application, as names with values. */
function useFacts(application: Application) {
  const { applications, general } = useTexts();
  const { app_id, scope, status, created_at } = application;
  const { rate_limit, allowed_addresses, expires_at } = application;
  const used = lastUsedAt(application);
  return [
    [
      'APPID',
      <Text key="id" span ff="monospace">
        {app_id}
      </Text>,
    ],
    [
      applications.scope,
      <Fragment key="scope">
        {applications.scopes[scope]}
        <Text size="xs" c="dimmed">
          {applications.scopeHelp[scope]}
        </Text>
      </Fragment>,
    ],
    [general.status, <ApplicationStatus key="status" status={status} />],
    [general.createdAt, <ExactTime key="created" at={created_at} />],
    [applications.lastUsed, used === undefined ? applications.never : <ExactTime key="used" at={used} />],
    [
      applications.rateLimit,
      rate_limit === undefined ? applications.ownLimit : applications.perSecond(rate_limit),
    ],
    [
      applications.addresses,
      allowed_addresses.length === 0 ? applications.anyAddress : allowed_addresses.join(', '),
    ],
    [
      applications.expires,
      expires_at === undefined ? applications.noEnd : <ExactTime key="expires" at={expires_at} />,
    ],
  ] as const;
}

function Secrets({ application: { secrets } }: Props) {
  const { applications, general } = useTexts();
  return (
    <div>
      <Text fw={600} component="h3" mb="xs">
        {applications.secrets}
      </Text>
      <Table className={styles.table ?? ''}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{general.createdAt}</Table.Th>
            <Table.Th>{applications.ends}</Table.Th>
            <Table.Th>{applications.lastUsed}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {secrets.map((secret) => (
            <Table.Tr key={String(secret.created_at)}>
              <Table.Td>
                <ExactTime at={secret.created_at} />
              </Table.Td>
              <Table.Td>
                {secret.expires_at === undefined ? applications.noEnd : <ExactTime at={secret.expires_at} />}
              </Table.Td>
              <Table.Td>
                {secret.last_used_at === undefined ? (
                  applications.never
                ) : (
                  <ExactTime at={secret.last_used_at} />
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

type LiveStatus = Exclude<Application['status'], 'revoked'>;

/** Suspends or resumes, which can be undone for a minute. */
function useSetStatus({ app_id, name }: Application) {
  const { applications, general } = useTexts();
  const tenant = useTenant();
  const invalidate = useInvalidate();
  const set = async (status: LiveStatus) => {
    await callConsole('updateApplication', { app_id, status }, tenant);
    invalidate('applications');
  };
  const said = (status: LiveStatus) =>
    status === 'active' ? applications.nowActive(name) : applications.nowSuspended(name);
  return useMutation({
    mutationFn: set,
    onError: notifyFailure,
    onSuccess(_, status) {
      const before = status === 'active' ? 'suspended' : 'active';
      const undo = async () => {
        await set(before);
        notifyDone(said(before));
      };
      const keys = [`status of application ${app_id}`];
      notifyWithUndo({ keys, message: said(status), undoText: general.undo, undo });
    },
  });
}

function Actions({ application }: Props) {
  const { applications } = useTexts();
  const tenant = useTenant();
  const invalidate = useInvalidate();
  const canChange = useCanChange();
  const [rotating, rotation] = useDisclosure(false);
  const [revoking, revocation] = useDisclosure(false);
  const [editing, edit] = useDisclosure(false);
  const setStatus = useSetStatus(application);
  const { app_id, name, status } = application;
  const revoke = useMutation({
    mutationFn: () => callConsole('revokeApplication', { app_id }, tenant),
    onSuccess() {
      invalidate('applications');
      closeOffersAbout(`application ${app_id}`);
      notifyDone(applications.nowRevoked(name));
    },
  });
  if (!canChange || status === 'revoked') return null;
  return (
    // Keeps all four buttons in one line of the drawer, even beside its scroll bar.
    <Group gap={4}>
      <Button variant="default" onClick={edit.open}>
        {applications.edit}
      </Button>
      <Button variant="default" onClick={rotation.open}>
        {applications.rotate}
      </Button>
      <Button
        variant="default"
        loading={setStatus.isPending}
        onClick={() => setStatus.mutate(status === 'active' ? 'suspended' : 'active')}
      >
        {status === 'active' ? applications.suspend : applications.resume}
      </Button>
      <Button variant="default" c="var(--fr-danger)" onClick={revocation.open}>
        {applications.revoke}
      </Button>
      {editing && <EditApplication application={application} onClose={edit.close} />}
      <RotateSecret opened={rotating} onClose={rotation.close} application={application} />
      <TypedConfirmation
        opened={revoking}
        onClose={revocation.close}
        title={applications.revoke}
        help={applications.revokeHelp(name)}
        name={name}
        action={applications.revoke}
        mutation={revoke}
      />
    </Group>
  );
}
