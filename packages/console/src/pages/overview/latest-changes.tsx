import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../i18n/texts.ts';
import { FailureNotice } from '../../parts/notices/failure-notice.tsx';
import { hasNothingToShow } from '../../parts/notices/has-nothing-to-show.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import { ActorName } from '../../parts/values/actor-name.tsx';
import { AuditedUser, isAboutUser } from '../../parts/values/audited-user.tsx';
import { OperationName } from '../../parts/values/operation-name.tsx';
import { RelativeTime } from '../../parts/values/relative-time.tsx';
import styles from './overview.module.css';
import { latestChangesQuery } from './overview-queries.ts';

export function LatestChanges() {
  const { overview } = useTexts();
  const tenant = useTenant();
  return (
    <section className={styles.card} aria-labelledby="changes">
      <div className={styles.head}>
        <h2 id="changes">{overview.changes}</h2>
        <Link to="/t/$tenant/audit" params={{ tenant: String(tenant) }}>
          {overview.allChanges}
        </Link>
      </div>
      <Changes />
    </section>
  );
}

function Changes() {
  const { overview } = useTexts();
  const tenant = useTenant();
  const query = useQuery(latestChangesQuery(tenant));
  if (hasNothingToShow(query)) return <FailureNotice error={query.error} onRetry={() => query.refetch()} />;
  if (query.data === undefined) return <Skeleton height={160} />;
  if (query.data.events.length === 0) return <Text c="dimmed">{overview.noChanges}</Text>;
  return (
    <ul className={styles.changes}>
      {query.data.events.map((event) => (
        <li key={String(event.id)}>
          <span>
            <OperationName operation={event.operation} changes={event.changes} />
            {isAboutUser(event) && (
              <>
                {' · '}
                <AuditedUser {...event} />
              </>
            )}
          </span>
          <Text span size="xs" c="dimmed">
            <ActorName actor={event.actor} />
            {' · '}
            <RelativeTime at={event.at} />
          </Text>
        </li>
      ))}
    </ul>
  );
}
