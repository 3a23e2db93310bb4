import { Stack } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { type ComponentType, useEffect, useRef } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { Backups } from './backups.tsx';
import { ChangePassword } from './change-password.tsx';
import { Doctor } from './doctor.tsx';
import { holdInView } from './hold-in-view.ts';
import { OperatorList } from './operator-list.tsx';
import { Retention } from './retention.tsx';
import { SecondFactor } from './second-factor.tsx';
import { SectionLinks } from './section-links.tsx';
import { SessionList } from './session-list.tsx';
import styles from './settings-page.module.css';
import { type SettingsSection, useSectionGroups } from './settings-sections.ts';
import { TenantList } from './tenant-list.tsx';

const contents: Readonly<Record<SettingsSection, ComponentType>> = {
  password: ChangePassword,
  factor: SecondFactor,
  sessions: SessionList,
  operators: OperatorList,
  tenants: TenantList,
  backups: Backups,
  doctor: Doctor,
  retention: Retention,
};

/** The own account, and for owners of all tenants the operators, the tenants and the deployment. */
export function SettingsPage() {
  const { settings } = useTexts();
  const groups = useSectionGroups();
  return (
    <>
      <PageHeader title={settings.title} />
      <div className={styles.page}>
        <SectionLinks groups={groups} />
        <Stack gap="md">
          {groups.flatMap(({ sections }) => sections.map((name) => <Section key={name} name={name} />))}
        </Stack>
      </div>
    </>
  );
}

function Section({ name }: { readonly name: SettingsSection }) {
  const { title, help } = useTexts().settings[name];
  const Content = contents[name];
  const element = useRef<HTMLElement>(null);
  const isNamed = useLocation({ select: ({ hash }) => hash === name });
  useEffect(() => {
    return isNamed && element.current !== null ? holdInView(element.current) : undefined;
  }, [isNamed]);
  return (
    // Takes the focus of the link that leads here, and of a button that is gone, such as that of an ended session.
    <section ref={element} id={name} className={styles.section} aria-label={title} tabIndex={-1}>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.help}>{help}</p>
      <Content />
    </section>
  );
}
