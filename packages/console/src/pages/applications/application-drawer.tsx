import { Button, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { callConsole } from '../../api/call.ts';
import { useCanChange } from '../../api/use-can-change.ts';
import { useTexts } from '../../i18n/texts.ts';
import { FactList } from '../../parts/fact-list.tsx';
import { notifyDone } from '../../parts/notify.ts';
import { PageDrawer } from '../../parts/page-drawer.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { TypedConfirmation } from '../../parts/typed-confirmation.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { ApplicationStatus } from './application-status.tsx';
import { type Application, applicationsQuery } from './applications-query.ts';
import { RotateSecret } from './rotate-secret.tsx';

/** One application beside the list, at an address of its own. */
export function ApplicationDrawer() {
  const { applications } = useTexts();
  const tenant = useTenant();
  const navigate = useNavigate();
  const { application: appId } = useParams({ strict: false });
  const { data } = useQuery(applicationsQuery(tenant));
  const application = data?.find(({ app_id }) => app_id === appId);
  const close = () => navigate({ to: '/t/$tenant/applications', params: { tenant: String(tenant) } });
  return (
    <PageDrawer title={application?.name ?? applications.title} onClose={close}>
      {application === undefined ? <Skeleton height={200} /> : <Details application={application} />}
    </PageDrawer>
  );
}

interface Props {
  readonly application: Application;
}

function Details({ application }: Props) {
  const { applications, general } = useTexts();
  const { app_id, scope, status, created_at, secrets } = application;
  const rows = [
    [
      'APPID',
      <Text key="id" span ff="monospace">
        {app_id}
      </Text>,
    ],
    [applications.scope, `${applications.scopes[scope]}: ${applications.scopeHelp[scope]}`],
    [general.status, <ApplicationStatus key="status" status={status} />],
    [general.createdAt, <RelativeTime key="created" at={created_at} />],
  ] as const;
  return (
    <Stack gap="lg">
      <Actions application={application} />
      <FactList facts={rows} />
      <div>
        <Text fw={600} component="h3" mb="xs">
          {applications.secrets}
        </Text>
        <Table>
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
                  <RelativeTime at={secret.created_at} />
                </Table.Td>
                <Table.Td>
                  {secret.expires_at === undefined ? (
                    applications.noEnd
                  ) : (
                    <RelativeTime at={secret.expires_at} />
                  )}
                </Table.Td>
                <Table.Td>
                  {secret.last_used_at === undefined ? (
                    applications.never
                  ) : (
                    <RelativeTime at={secret.last_used_at} />
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Stack>
  );
}

function Actions({ application }: Props) {
  const { applications } = useTexts();
  const tenant = useTenant();
  const client = useQueryClient();
  const canChange = useCanChange();
  const [rotating, rotation] = useDisclosure(false);
  const [revoking, revocation] = useDisclosure(false);
  const { app_id, name, status } = application;
  const revoke = useMutation({
    mutationFn: () => callConsole('revokeApplication', { app_id }, tenant),
    onSuccess() {
      client.invalidateQueries({ queryKey: ['applications', String(tenant)] });
      notifyDone(applications.nowRevoked(name));
    },
  });
  if (!canChange || status === 'revoked') return null;
  return (
    <Group gap="xs">
      <Button variant="default" onClick={rotation.open}>
        {applications.rotate}
      </Button>
      <Button variant="default" onClick={revocation.open}>
        {applications.revoke}
      </Button>
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
