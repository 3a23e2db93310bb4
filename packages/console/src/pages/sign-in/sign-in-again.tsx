import { getDefaultZIndex, Modal, Text } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useRenewSession, useSession } from '../../api/session.ts';
import { useTexts } from '../../i18n/texts.ts';
import { SignInForm } from './sign-in-page.tsx';

/** Covers a page whose session has ended. The text typed there stays for the operator who typed it. */
export function SignInAgain() {
  const { signIn } = useTexts();
  const { operator } = useSession();
  const router = useRouter();
  const renew = useRenewSession();
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={signIn.ended}
      // Above the search, which is above every other dialog.
      zIndex={getDefaultZIndex('max') + 1}
      // Hides the page, which nobody without a session may go on reading.
      overlayProps={{ backgroundOpacity: 1, color: 'var(--mantine-color-body)' }}
    >
      <Text size="sm" mb="md">
        {signIn.endedHelp}
      </Text>
      <SignInForm
        username={operator.username}
        onSignedIn={(session) => {
          if (!renew(session)) void router.navigate({ to: '/', ignoreBlocker: true });
        }}
      />
    </Modal>
  );
}
