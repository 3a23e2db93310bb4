import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type Texts, useTexts } from '../../i18n/texts.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import { isFault, useCodeText } from '../../parts/values/code-text.ts';
import { RelativeTime } from '../../parts/values/relative-time.tsx';
import { StatusDot } from '../../parts/values/status-dot.tsx';
import { useNumberFormat } from '../../parts/values/use-number-format.ts';
import styles from './overview.module.css';
import type { Failing } from './overview-queries.ts';

const applicationsMax = 10;

interface Props {
  readonly failing: readonly Failing[];
}

/** The applications that failed, those with the most faults first, with what to do. Revoked ones come last. */
export function FailingList({ failing }: Props) {
  const { overview } = useTexts();
  const groups = [...Map.groupBy(failing, ({ app_id }) => app_id).values()]
    .toSorted((a, b) => Number(isRevoked(a)) - Number(isRevoked(b)) || faultsOf(b) - faultsOf(a))
    .slice(0, applicationsMax);
  return (
    <section className={styles.card} aria-labelledby="failing">
      <div className={styles.head}>
        <h2 id="failing">{overview.integrations}</h2>
        <Text span size="xs" c="dimmed">
          {overview.integrationsHelp}
        </Text>
      </div>
      {groups.length === 0 && <Text c="dimmed">{overview.noneFailing}</Text>}
      <ul className={styles.list}>
        {groups.map((group) => (
          <li key={group[0]?.app_id}>
            <Application failures={group} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function isRevoked([first]: readonly Failing[]): boolean {
  return first?.revoked === true;
}

/** Counts the calls with a fault. A fault that the server has not counted yet is at least one. */
function faultsOf(failures: readonly Failing[]): number {
  return failures.reduce((sum, { code, calls }) => sum + (isFault(code) ? Math.max(calls, 1) : 0), 0);
}

interface ApplicationProps {
  readonly failures: readonly Failing[];
}

function Application({ failures }: ApplicationProps) {
  const { overview } = useTexts();
  const tenant = String(useTenant());
  const number = useNumberFormat();
  const [{ app_id, name, revoked, all_calls }] = failures as [Failing];
  const faults = failures.filter(({ code }) => isFault(code));
  const failed = failures.reduce((sum, { calls }) => sum + calls, 0);
  return (
    <>
      <div className={styles.entryHead}>
        <StatusDot
          tone={faults.length > 0 && !revoked ? 'bad' : 'off'}
          word={nameOf(overview, { app_id, name, revoked })}
        />
        {failed > 0 && (
          <Text span size="xs" c="dimmed">
            {overview.ofCalls(number(failed), number(all_calls))}
          </Text>
        )}
        {app_id !== '' && (
          <Link to="/t/$tenant/applications/$application" params={{ tenant, application: app_id }}>
            {overview.openApplication}
          </Link>
        )}
      </div>
      {faults.map((failure) => (
        <Fault key={failure.code} failure={failure} />
      ))}
      <Refusals failures={failures.filter(({ code }) => !isFault(code))} />
    </>
  );
}

function nameOf(
  overview: Texts['overview'],
  { app_id, name, revoked }: Pick<Failing, 'app_id' | 'name' | 'revoked'>,
): string {
  if (app_id === '') return overview.unknownCaller;
  return revoked ? overview.revoked(name) : name;
}

/** Returns a function that says how many calls failed with a code. */
function useCallsText(): (failure: Failing) => string {
  const { overview } = useTexts();
  const number = useNumberFormat();
  return ({ calls }) => (calls === 0 ? overview.notCountedYet : overview.countedCalls(number(calls)));
}

/** A code that says that the integration is broken, with what to do about it unless it is revoked. */
function Fault({ failure }: { readonly failure: Failing }) {
  const { overview } = useTexts();
  const callsText = useCallsText();
  const codeText = useCodeText();
  const { code, last, revoked } = failure;
  return (
    <div className={styles.fault}>
      <div className={styles.entryHead}>
        <span className={styles.code}>
          <RequestsLink failure={failure} />
        </span>
        <Text span size="xs" c="dimmed">
          {callsText(failure)}
          {last !== undefined && (
            <>
              {' · '}
              {overview.lastAt} <RelativeTime at={last.at} />
            </>
          )}
        </Text>
      </div>
      {!revoked && <Text size="sm">{codeText(code).step}</Text>}
    </div>
  );
}

/** Lists, in one line, the codes that a working integration gets as well. */
function Refusals({ failures }: ApplicationProps) {
  const { overview } = useTexts();
  const callsText = useCallsText();
  if (failures.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" className={styles.refusals}>
      {overview.alsoRefused}{' '}
      {failures.map((failure, index) => (
        <span key={failure.code}>
          {index > 0 && ' · '}
          <RequestsLink failure={failure} /> {callsText(failure)}
        </span>
      ))}
    </Text>
  );
}

function RequestsLink({ failure: { app_id, code } }: { readonly failure: Failing }) {
  const tenant = String(useTenant());
  const codeText = useCodeText();
  const search = { code, ...(app_id !== '' && { app: app_id }) };
  return (
    <Link to="/t/$tenant/requests" params={{ tenant }} search={search}>
      {code} {codeText(code).meaning}
    </Link>
  );
}
