import { Modal, Select, type SelectProps, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { DialogActions } from '../page/dialog-actions.tsx';
import { CheckedForm } from './checked-form.tsx';
import type { LoadedOption } from './loaded-select.tsx';
import { useDiscardGuard } from './use-discard-guard.tsx';
import { useTypedText } from './use-typed-text.ts';

export interface EditField<Name extends string> {
  readonly name: Name;
  readonly label: string;
  readonly kind: 'line' | 'text' | 'choice';
  readonly isRequired?: boolean;
  readonly isReadOnly?: boolean;
  readonly charactersMax?: number;
  /** The options of a choice. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  readonly help?: string;
}

interface Props<Name extends string> {
  readonly title: string;
  readonly action: string;
  readonly fields: readonly EditField<Name>[];
  readonly initial: Readonly<Record<Name, string>>;
  readonly save: (values: Readonly<Record<Name, string>>) => Promise<unknown>;
  readonly onSaved: (values: Readonly<Record<Name, string>>) => void;
  readonly onClose: () => void;
}

/** A dialog with a few fields. Mount it to open it. */
export function EditForm<Name extends string>(props: Props<Name>) {
  const { title, action, fields, initial, save, onSaved, onClose } = props;
  const form = useForm<Record<string, string>>({ initialValues: initial });
  const mutation = useMutation({
    mutationFn: (values: Record<string, string>) => save(values as Record<Name, string>),
    onSuccess: (_, values) => onSaved(values as Record<Name, string>),
  });
  const guard = useDiscardGuard(form.isDirty(), mutation.isPending ? 'sending' : 'typed');
  return (
    <Modal opened onClose={() => guard.leave(onClose)} closeOnEscape={!guard.isAsking} title={title}>
      {guard.question}
      <CheckedForm form={form} onSubmit={(values) => mutation.mutate(values)}>
        <Stack gap="sm">
          {fields.map((field, index) => (
            <Field key={field.name} field={field} isFirst={index === 0} {...form.getInputProps(field.name)} />
          ))}
          <DialogActions action={action} mutation={mutation} onCancel={onClose} />
        </Stack>
      </CheckedForm>
    </Modal>
  );
}

interface FieldProps {
  readonly field: EditField<string>;
  readonly isFirst: boolean;
  readonly value?: string;
}

function Field({ field, isFirst, value = '', ...input }: FieldProps) {
  const { label, kind, isRequired = false, isReadOnly = false, charactersMax, choices = [], help } = field;
  const general = {
    label,
    required: isRequired,
    readOnly: isReadOnly,
    ...(help !== undefined && { description: help }),
    ...(charactersMax !== undefined && { maxLength: charactersMax }),
    ...(isFirst && { 'data-autofocus': true }),
    ...input,
  };
  if (kind === 'choice') return <Choice choices={choices} chosen={value} {...general} />;
  if (kind === 'text') return <Textarea autosize minRows={2} value={value} {...general} />;
  return <TextInput value={value} {...general} />;
}

interface ChoiceProps extends SelectProps {
  readonly choices: readonly LoadedOption[];
  /** Empty when nothing is chosen. */
  readonly chosen: string;
}

function Choice({ choices, chosen, ...general }: ChoiceProps) {
  const typed = useTypedText(choices.find(({ value }) => value === chosen)?.label);
  const value = chosen === '' ? null : chosen;
  return (
    <Select searchable clearable limit={200} data={[...choices]} value={value} {...typed} {...general} />
  );
}
