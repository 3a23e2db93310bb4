import { Text } from '@mantine/core';
import type { OwnResult } from '../../api/call.ts';
import { useTexts } from '../../i18n/texts.ts';
import { CopyField } from '../../parts/fields/copy-field.tsx';
import { ShownOnce } from '../../parts/notices/shown-once.tsx';
import { RelativeTime } from '../../parts/values/relative-time.tsx';

interface Props {
  readonly link: OwnResult<'inviteOperator'>;
  readonly onStored: () => void;
}

/** A one-time link, shown this once. */
export function NewLink({ link, onStored }: Props) {
  const { operators } = useTexts().settings;
  return (
    <ShownOnce
      title={operators.linkOnce}
      help={operators.linkOnceHelp}
      stored={operators.linkStored}
      onStored={onStored}
    >
      <CopyField label={operators.link} value={`${location.origin}/console/link#${link.token}`} />
      <Text size="sm" c="dimmed">
        {operators.linkEnds} <RelativeTime at={link.expires_at} />
      </Text>
    </ShownOnce>
  );
}
