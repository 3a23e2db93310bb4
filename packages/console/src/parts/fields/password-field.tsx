import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTexts } from '../../i18n/texts.ts';

/** A field for a password, with a button that shows it. */
export function PasswordField(props: PasswordInputProps) {
  const { general } = useTexts();
  const label = { 'aria-label': general.showPassword };
  // The library says so of every other kind of field.
  const state = { 'aria-invalid': props.error ? true : undefined };
  return (
    <PasswordInput visibilityToggleFocusable visibilityToggleButtonProps={label} {...state} {...props} />
  );
}
