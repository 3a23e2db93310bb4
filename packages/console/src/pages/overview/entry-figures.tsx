import { Text, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { serverNow } from '../../api/server-clock.ts';
import type { Id } from '../../api/wire.ts';
import { useLocale, useTexts } from '../../i18n/texts.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import { useNumberFormat } from '../../parts/values/use-number-format.ts';
import styles from './overview.module.css';
import type { Health } from './overview-queries.ts';

interface Props {
  readonly health: Health;
}

/** Shows how much the directory holds, and how much more or less than a week before. */
export function EntryFigures({ health }: Props) {
  const { overview } = useTexts();
  const { counts, applications, week_before: before } = health;
  return (
    <div>
      <dl className={styles.figures}>
        <Figure
          name={<PageLink to="/t/$tenant/users">{overview.users}</PageLink>}
          value={counts?.users}
          before={before?.users}
          since={before?.at}
        />
        <Figure
          name={<PageLink to="/t/$tenant/stores">{overview.stores}</PageLink>}
          value={counts?.stores}
          before={before?.stores}
          since={before?.at}
        />
        <Figure
          name={overview.bindings}
          value={counts?.bindings}
          before={before?.bindings}
          since={before?.at}
        />
        <Figure
          name={<PageLink to="/t/$tenant/applications">{overview.applications}</PageLink>}
          value={applications}
          before={before?.applications}
          since={before?.at}
        />
      </dl>
      {counts !== undefined && <AsOf at={Number(counts.at)} />}
    </div>
  );
}

/** Older numbers say how old they are. They are usually newer than the interval at which the page asks. */
const newMs = 30_000;

function AsOf({ at }: { readonly at: number }) {
  const { overview } = useTexts();
  const locale = useLocale();
  if (serverNow() - at < newMs) return null;
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(at);
  return (
    <Text size="xs" c="dimmed" mt={4}>
      {overview.asOf(time)}
    </Text>
  );
}

interface PageLinkProps {
  readonly to: '/t/$tenant/users' | '/t/$tenant/stores' | '/t/$tenant/applications';
  readonly children: React.ReactNode;
}

function PageLink({ to, children }: PageLinkProps) {
  return (
    <Link to={to} params={{ tenant: String(useTenant()) }}>
      {children}
    </Link>
  );
}

interface FigureProps {
  readonly name: React.ReactNode;
  readonly value: Id | undefined;
  readonly before: Id | undefined;
  /** When `before` was counted, in Unix milliseconds. */
  readonly since: Id | undefined;
}

function Figure({ name, value, before, since }: FigureProps) {
  const { overview } = useTexts();
  const number = useNumberFormat();
  return (
    <div className={styles.figure}>
      <dt>{name}</dt>
      <dd>
        {value === undefined ? (
          <Tooltip label={overview.counting}>
            <span>
              <span aria-hidden="true">…</span>
              <span className={styles.unseen}>{overview.counting}</span>
            </span>
          </Tooltip>
        ) : (
          <>
            {number(value)}
            {before !== undefined && since !== undefined && (
              <Change difference={BigInt(value) - BigInt(before)} since={since} />
            )}
          </>
        )}
      </dd>
    </div>
  );
}

interface ChangeProps {
  readonly difference: bigint;
  readonly since: Id;
}

function Change({ difference, since }: ChangeProps) {
  const { overview } = useTexts();
  const locale = useLocale();
  const signed = useNumberFormat({ signDisplay: 'exceptZero' });
  const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(
    Number(since),
  );
  return (
    <Tooltip label={overview.since(exact)}>
      <span className={styles.change}>
        {difference === 0n ? overview.unchanged : overview.inAWeek(signed(difference))}
      </span>
    </Tooltip>
  );
}
