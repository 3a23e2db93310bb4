import { useLinkProps, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import styles from './section-links.module.css';
import type { SettingsSection, useSectionGroups } from './settings-sections.ts';

interface Props {
  readonly groups: ReturnType<typeof useSectionGroups>;
}

/** Leads to each section: beside the sections on a wide screen, above them on a narrow one. */
export function SectionLinks({ groups }: Props) {
  const { settings } = useTexts();
  const shown = useShownSection(groups);
  return (
    <nav className={styles.links} aria-label={settings.sectionLinks}>
      {groups.map(({ key, sections }) => (
        <div key={key}>
          <p className={styles.group}>{settings.groups[key]}</p>
          <ul className={styles.list}>
            {sections.map((name) => (
              <li key={name}>
                <SectionLink name={name} isShown={name === shown} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

interface SectionLinkProps {
  readonly name: SettingsSection;
  readonly isShown: boolean;
}

function SectionLink({ name, isShown }: SectionLinkProps) {
  const { settings } = useTexts();
  const tenant = String(useTenant());
  const props = useLinkProps({
    to: '/t/$tenant/settings',
    params: { tenant },
    hash: name,
    // Following it twice is one step back.
    replace: useLocation({ select: ({ hash }) => hash === name }),
    className: styles.link,
    onClick: () => follow(name),
  });
  return (
    // The router would call the section of the address the current one, even when another is in view.
    <a {...props} data-here={isShown || undefined} aria-current={isShown ? 'location' : undefined}>
      {settings[name].title}
    </a>
  );
}

/** The router scrolls only to a section whose address is new, and leaves the focus on the link. */
function follow(name: SettingsSection): void {
  const section = document.getElementById(name);
  section?.focus({ preventScroll: true });
  section?.scrollIntoView();
}

/** Returns the section of the address while its title is in view, and otherwise the first whose title is. */
function useShownSection(groups: Props['groups']): string | undefined {
  const hash = useLocation({ select: (location) => location.hash });
  const names = groups.flatMap(({ sections }) => sections);
  const inView = useTitlesInView(names.join(' '));
  return inView.has(hash) ? hash : names.find((name) => inView.has(name));
}

function useTitlesInView(names: string): ReadonlySet<string> {
  const [inView, setInView] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const observer = new IntersectionObserver((changes) =>
      setInView((before) => {
        const after = new Set(before);
        for (const { target, isIntersecting } of changes) {
          const name = target.parentElement?.id ?? '';
          if (isIntersecting) after.add(name);
          else after.delete(name);
        }
        return after;
      }),
    );
    for (const name of names.split(' ')) {
      const title = document.getElementById(name)?.firstElementChild;
      if (title) observer.observe(title);
    }
    return () => observer.disconnect();
  }, [names]);
  return inView;
}
