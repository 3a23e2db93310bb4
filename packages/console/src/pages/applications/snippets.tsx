import { Box, Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { operationsOrigin } from '../../api/operations-origin.ts';
import { useSession } from '../../api/session.ts';
import { useTexts } from '../../i18n/texts.ts';
import { CopyTextButton } from '../../parts/fields/copy-text-button.tsx';
import place from './new-credentials.module.css';
import { snippets } from './snippet-languages.ts';
import styles from './snippets.module.css';

const storageKey = 'fieldroster-snippet-language';

/** A script that makes a first call, in the language that the reader chose last. It reads the secret from the environment. */
export default function Snippets() {
  const { applications } = useTexts();
  const { base_path, operations_port } = useSession();
  const [id, setId] = useState(() => localStorage.getItem(storageKey) ?? '');
  const language = snippets.find((one) => one.id === id) ?? snippets[0];
  if (language === undefined) return null;
  const text = language.write({
    method: 'GET',
    origin: operationsOrigin(operations_port),
    target: `${base_path}/users?limit=1`,
    body: undefined,
  });
  return (
    <Stack gap="xs" className={place.snippets ?? ''}>
      <Group justify="space-between" align="flex-end">
        <Select
          label={applications.snippet}
          allowDeselect={false}
          data={snippets.map(({ id: value, name }) => ({ value, label: name }))}
          value={language.id}
          onChange={(value) => {
            localStorage.setItem(storageKey, value ?? '');
            setId(value ?? '');
          }}
        />
        <CopyTextButton label={applications.copySnippet} text={text} />
      </Group>
      <Box
        component="pre"
        className={styles.code ?? ''}
        // A scrolling area must be reachable by keyboard.
        role="region"
        aria-label={applications.snippet}
        tabIndex={0}
      >
        {text}
      </Box>
      <Text size="xs" c="dimmed">
        {applications.snippetHelp(language.fileName, language.command)}
      </Text>
    </Stack>
  );
}
