import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTexts } from '../../i18n/texts.ts';

/** A field for a password, with a button that shows it. */
export function PasswordField(props: PasswordInputProps) {
  const { general } = useTexts();
  const label = { 'aria-label': general.showPassword };
  return <PasswordInput visibilityToggleFocusable visibilityToggleButtonProps={label} {...props} />;
}
