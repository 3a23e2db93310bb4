import { Box, Skeleton } from '@mantine/core';
import { Suspense } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { CopyField } from '../../parts/fields/copy-field.tsx';
import { lazyPart } from '../../parts/loading/lazy-part.tsx';
import { ShownOnce } from '../../parts/notices/shown-once.tsx';
import styles from './new-credentials.module.css';

// The signers of eight languages are large.
const Snippets = lazyPart(async () => (await import('./snippets.tsx')).default);

interface Props {
  readonly appId: string;
  readonly appSecret: string;
  /** Called once the reader says that the secret is stored. */
  readonly onStored: () => void;
}

/** The credentials of an application, shown this once. */
export function NewCredentials({ appId, appSecret, onStored }: Props) {
  const { applications } = useTexts();
  return (
    <ShownOnce
      title={applications.once}
      help={applications.onceHelp}
      stored={applications.stored}
      onStored={onStored}
    >
      <CopyField label="APPID" value={appId} />
      <CopyField label="APPSECRET" value={appSecret} />
      <Suspense fallback={<Waiting />}>
        <Snippets />
      </Suspense>
    </ShownOnce>
  );
}

function Waiting() {
  return (
    <Box className={styles.snippets ?? ''}>
      <Skeleton height={240} />
    </Box>
  );
}
