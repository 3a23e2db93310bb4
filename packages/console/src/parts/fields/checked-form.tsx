import type { UseFormReturnType } from '@mantine/form';
import type { FormEvent, ReactNode } from 'react';
import { type Texts, useTexts } from '../../i18n/texts.ts';

interface Props<Values> {
  readonly form: Pick<UseFormReturnType<Values>, 'onSubmit' | 'setFieldError'>;
  readonly onSubmit: (values: Values) => void;
  readonly children: ReactNode;
}

/**
 * A form that says at its fields, in the reader's language, what the browser would say in a bubble in its own: that a
 * value is missing or too short, or a date incomplete. Other faults keep the browser's words, at the field.
 */
export function CheckedForm<Values extends Record<string, unknown>>({
  form,
  onSubmit,
  children,
}: Props<Values>) {
  const { general } = useTexts();
  const complain = (event: FormEvent<HTMLFormElement>) => {
    const field = event.target;
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
    const { path } = field.dataset;
    // A field whose value is not the form's may have shown its own error.
    if (!event.defaultPrevented) {
      if (path === undefined) return;
      event.preventDefault();
      form.setFieldError(path, sayWrong(general, field));
    }
    if (event.currentTarget.querySelector('input:invalid, textarea:invalid') === field) focusWithLabel(field);
  };
  return (
    <form onSubmit={form.onSubmit(onSubmit)} onInvalid={complain}>
      {children}
    </form>
  );
}

function focusWithLabel(field: HTMLInputElement | HTMLTextAreaElement): void {
  field.focus({ preventScroll: true });
  // The browser would scroll to the field alone, which leaves its label behind the title of a dialog.
  (field.labels?.[0] ?? field).scrollIntoView({ block: 'center' });
}

function sayWrong(general: Texts['general'], field: HTMLInputElement | HTMLTextAreaElement): string {
  const { validity, minLength, validationMessage } = field;
  if (validity.valueMissing) return general.fillIn;
  if (validity.badInput && field.type !== 'number') return general.incompleteDate;
  return validity.tooShort ? general.tooShort(minLength) : validationMessage;
}
