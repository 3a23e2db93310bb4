import { consoleLimits } from '@fieldroster/contract/console-limits';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { callConsole } from '../../api/call.ts';
import { useSession } from '../../api/session.ts';
import { useTexts } from '../../i18n/texts.ts';
import { CheckedForm } from '../../parts/fields/checked-form.tsx';
import { useDiscardGuard } from '../../parts/fields/use-discard-guard.tsx';
import { FailureNotice } from '../../parts/notices/failure-notice.tsx';
import { notifyDone } from '../../parts/notices/notify.ts';
import styles from './settings-page.module.css';

/** Every tenant, and a field for one more. */
export function TenantList() {
  const { tenants: texts } = useTexts().settings;
  const { tenants } = useSession();
  const client = useQueryClient();
  const form = useForm({ initialValues: { name: '' } });
  const mutation = useMutation({
    mutationFn: ({ name }: typeof form.values) => callConsole('createTenant', { name: name.trim() }),
    onSuccess(_, { name }) {
      client.invalidateQueries({ queryKey: ['session'] });
      form.reset();
      notifyDone(texts.created(name.trim()));
    },
  });
  const guard = useDiscardGuard(form.isDirty(), mutation.isPending ? 'sending' : 'typed');
  return (
    <>
      {guard.question}
      <ul className={styles.list}>
        {tenants.map(({ id, name }) => (
          <li key={String(id)} className={styles.row}>
            <Text className={styles.grow ?? ''}>{name}</Text>
            <Link to="/t/$tenant" params={{ tenant: String(id) }} aria-label={texts.openNamed(name)}>
              {texts.open}
            </Link>
          </li>
        ))}
      </ul>
      <CheckedForm form={form} onSubmit={(values) => mutation.mutate(values)}>
        <Group gap="xs" align="end">
          <TextInput
            label={texts.name}
            required
            maxLength={consoleLimits.tenantNameCharactersMax}
            {...form.getInputProps('name')}
          />
          <Button type="submit" loading={mutation.isPending}>
            {texts.create}
          </Button>
        </Group>
      </CheckedForm>
      {mutation.isError && <FailureNotice error={mutation.error} />}
    </>
  );
}
