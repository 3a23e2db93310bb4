import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSession } from '../../api/session.ts';
import { useTexts } from '../../i18n/texts.ts';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { Backups } from './backups.tsx';
import { ChangePassword } from './change-password.tsx';
import { Doctor } from './doctor.tsx';
import { OperatorList } from './operator-list.tsx';
import { Retention } from './retention.tsx';
import { SecondFactor } from './second-factor.tsx';
import { SessionList } from './session-list.tsx';
import styles from './settings-page.module.css';
import { TenantList } from './tenant-list.tsx';

/** The own account, and for owners of all tenants the operators, the tenants and the deployment. */
export function SettingsPage() {
  const { settings } = useTexts();
  const { operator } = useSession();
  const ownsAll = operator.role === 'owner' && operator.all_tenants;
  return (
    <>
      <PageHeader title={settings.title} />
      <Stack gap="md" maw={880}>
        <Section title={settings.password.title} help={settings.password.help}>
          <ChangePassword />
        </Section>
        <Section title={settings.factor.title} help={settings.factor.help}>
          <SecondFactor />
        </Section>
        <Section title={settings.sessions.title} help={settings.sessions.help}>
          <SessionList />
        </Section>
        {ownsAll && (
          <>
            <Section title={settings.operators.title} help={settings.operators.help}>
              <OperatorList />
            </Section>
            <Section title={settings.tenants.title} help={settings.tenants.help}>
              <TenantList />
            </Section>
            <Section title={settings.backups.title} help={settings.backups.help}>
              <Backups />
            </Section>
            <Section title={settings.doctor.title} help={settings.doctor.help}>
              <Doctor />
            </Section>
            <Section title={settings.retention.title} help={settings.retention.help}>
              <Retention />
            </Section>
          </>
        )}
      </Stack>
    </>
  );
}

interface SectionProps {
  readonly title: string;
  readonly help: string;
  readonly children: ReactNode;
}

function Section({ title, help, children }: SectionProps) {
  return (
    // Takes the focus of a button that is gone, such as that of a session that was ended.
    <section className={styles.section} aria-label={title} tabIndex={-1}>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.help}>{help}</p>
      {children}
    </section>
  );
}
