import { Text, Tooltip } from '@mantine/core';
import { useTexts } from '../../i18n/texts.ts';
import styles from './caller.module.css';
import type { FailedCall } from './failed-calls-query.ts';

interface Props {
  readonly call: Pick<FailedCall, 'app_id' | 'name' | 'verified'>;
}

/** Who made a call, as far as the server knows. */
export function Caller({ call }: Props) {
  const { requests } = useTexts();
  const { app_id, name, verified } = call;
  if (app_id === '') {
    return (
      <Text span inherit c="dimmed">
        {requests.noApplication}
      </Text>
    );
  }
  if (name === '') {
    return (
      <Tooltip label={requests.unknown}>
        <Text span inherit ff="monospace" c="dimmed">
          {app_id}
        </Text>
      </Tooltip>
    );
  }
  if (verified) return <>{name}</>;
  return (
    <Tooltip label={requests.claimed}>
      <span className={styles.claim}>
        <span>{name}</span>
        <Text span size="xs" c="dimmed">
          {requests.unverified}
        </Text>
      </span>
    </Tooltip>
  );
}
