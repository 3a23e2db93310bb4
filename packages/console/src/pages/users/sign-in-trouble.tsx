import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../i18n/texts.ts';
import { useTenant } from '../../parts/use-tenant.ts';

/** Says why a user cannot sign in, and leads to the failed password checks. */
export function SignInTrouble() {
  const { general, users } = useTexts();
  const tenant = String(useTenant());
  return (
    <Text size="xs" c="dimmed" mt={8}>
      {users.signInTrouble}
      {general.sentenceGap}
      <Link to="/t/$tenant/requests" params={{ tenant }} search={{ operation: 'check-password' }}>
        {users.failedPasswordChecks}
      </Link>
    </Text>
  );
}
