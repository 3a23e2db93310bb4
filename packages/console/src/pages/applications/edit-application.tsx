import { consoleLimits } from '@fieldroster/contract/console-limits';
import { Modal, NumberInput, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { Application } from '../../api/applications-query.ts';
import { callConsole } from '../../api/call.ts';
import { presentTime } from '../../api/server-clock.ts';
import { useInvalidate } from '../../api/use-invalidate.ts';
import { useLocale, useTexts } from '../../i18n/texts.ts';
import { CheckedForm } from '../../parts/fields/checked-form.tsx';
import { DateField } from '../../parts/fields/date-field.tsx';
import { useDiscardGuard } from '../../parts/fields/use-discard-guard.tsx';
import { notifyDone } from '../../parts/notices/notify.ts';
import { DialogActions } from '../../parts/page/dialog-actions.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { fromLocalTime, toLocalTime, zoneNameAt } from './local-time.ts';
import { ScopeField } from './scope-field.tsx';

interface Props {
  readonly application: Application;
  readonly onClose: () => void;
}

/** The server's own limit, as the server knows it. */
const ownLimit = -1;

/** Changes what an application may do. Mount it to open it. */
export function EditApplication({ application, onClose }: Props) {
  const { applications, general } = useTexts();
  const form = useAccessForm(application);
  const mutation = useSaveAccess(application, form, onClose);
  const guard = useDiscardGuard(form.isDirty(), mutation.isPending ? 'sending' : 'typed');
  return (
    <Modal
      opened
      onClose={() => guard.leave(onClose)}
      closeOnEscape={!guard.isAsking}
      title={applications.edit}
      size="lg"
    >
      {guard.question}
      <CheckedForm form={form} onSubmit={(values) => mutation.mutate(values)}>
        <Stack gap="md">
          <AccessFields form={form} />
          <DialogActions action={general.save} mutation={mutation} onCancel={onClose} />
        </Stack>
      </CheckedForm>
    </Modal>
  );
}

type AccessForm = ReturnType<typeof useAccessForm>;

function useAccessForm({ scope, rate_limit, allowed_addresses, expires_at }: Application) {
  return useForm({
    initialValues: {
      scope,
      rateLimit: rate_limit ?? ('' as number | string),
      addresses: allowed_addresses.join('\n'),
      expiresAt: expires_at === undefined ? '' : toLocalTime(Number(expires_at)),
    },
  });
}

function useSaveAccess({ app_id, name }: Application, form: AccessForm, onSaved: () => void) {
  const { applications } = useTexts();
  const tenant = useTenant();
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: ({ scope, rateLimit, addresses, expiresAt }: AccessForm['values']) =>
      callConsole(
        'updateApplication',
        {
          app_id,
          // Somebody may have changed the other fields since the dialog opened. An unchanged time keeps its seconds too,
          // which the field does not show.
          ...(form.isDirty('scope') && { scope }),
          ...(form.isDirty('rateLimit') && { rate_limit: rateLimit === '' ? ownLimit : Number(rateLimit) }),
          ...(form.isDirty('addresses') && { allowed_addresses: addressesIn(addresses) }),
          ...(form.isDirty('expiresAt') && { expires_at: fromLocalTime(expiresAt) ?? 0 }),
        },
        tenant,
      ),
    onSuccess() {
      invalidate('applications');
      notifyDone(applications.saved(name));
      onSaved();
    },
  });
}

function addressesIn(text: string): string[] {
  return text.split(/[\s,，、]+/).filter((entry) => entry !== '');
}

function AccessFields({ form }: { readonly form: AccessForm }) {
  const { applications } = useTexts();
  const zone = zoneNameAt(fromLocalTime(form.values.expiresAt) ?? presentTime(), useLocale());
  return (
    <>
      <ScopeField value={form.values.scope} onChange={(scope) => form.setFieldValue('scope', scope)} />
      <NumberInput
        label={applications.rateLimit}
        description={applications.rateLimitHelp}
        placeholder={applications.ownLimit}
        min={0}
        max={consoleLimits.rateLimitMax}
        allowDecimal={false}
        hideControls
        {...form.getInputProps('rateLimit')}
      />
      <Textarea
        label={applications.addresses}
        description={applications.addressesHelp}
        placeholder={'10.0.0.0/8\n192.0.2.7'}
        autosize
        minRows={2}
        maxRows={8}
        {...form.getInputProps('addresses')}
      />
      <DateField
        type="datetime-local"
        label={applications.expires}
        description={applications.expiresHelp(zone)}
        {...form.getInputProps('expiresAt')}
        value={form.values.expiresAt}
        onChange={(expiresAt) => form.setFieldValue('expiresAt', expiresAt)}
      />
    </>
  );
}
