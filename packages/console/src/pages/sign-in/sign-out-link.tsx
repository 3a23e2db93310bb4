import { Anchor } from '@mantine/core';
import { useTexts } from '../../i18n/texts.ts';
import { useSignOut } from './use-sign-out.ts';

interface Props {
  readonly disabled?: boolean;
}

/** Signs out where no shell offers to. */
export function SignOutLink({ disabled = false }: Props) {
  const { navigation } = useTexts();
  const signOut = useSignOut();
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      mt="md"
      disabled={disabled || signOut.isPending}
      onClick={() => signOut.run('signOut')}
    >
      {navigation.signOut}
    </Anchor>
  );
}
