import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useCanChange } from '../../api/use-can-change.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import styles from './overview.module.css';
import type { Health } from './overview-queries.ts';

const steps = [
  { name: 'orgs', help: 'orgsHelp', to: '/t/$tenant/orgs' },
  { name: 'roles', help: 'rolesHelp', to: '/t/$tenant/roles' },
  { name: 'stores', help: 'storesHelp', to: '/t/$tenant/import', search: { of: 'stores' } },
  { name: 'users', help: 'usersHelp', to: '/t/$tenant/import' },
  { name: 'applications', help: 'applicationsHelp', to: '/t/$tenant/applications' },
] as const;

/** Returns whether the directory has neither users nor stores, as far as the server has counted them. */
export function isEmpty({ counts }: Health): boolean {
  return counts !== undefined && BigInt(counts.users) === 0n && BigInt(counts.stores) === 0n;
}

/** The first tasks in a directory without users and stores. Each needs only those before it. */
export function FirstSteps() {
  const { firstSteps } = useTexts().overview;
  const tenant = String(useTenant());
  const canChange = useCanChange();
  return (
    <section className={styles.card} aria-labelledby="first-steps">
      <div className={styles.head}>
        <h2 id="first-steps">{firstSteps.title}</h2>
      </div>
      {!canChange && <Text c="dimmed">{firstSteps.viewer}</Text>}
      {canChange && (
        <ol className={styles.steps}>
          {steps.map(({ name, help, to, ...rest }) => (
            <li key={name}>
              <Link to={to} params={{ tenant }} {...rest} className={styles.step}>
                {firstSteps[name]}
              </Link>
              <Text size="sm" c="dimmed">
                {firstSteps[help]}
              </Text>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
