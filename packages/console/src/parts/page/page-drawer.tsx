import { ActionIcon, Drawer, Text, Tooltip } from '@mantine/core';
import { IconArrowsMaximize, IconArrowsMinimize } from '@tabler/icons-react';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { isForInputMethod } from '../fields/composing.ts';
import styles from './page-drawer.module.css';
import { useCoveredPage } from './use-covered-page.ts';
import { useFullPage } from './use-full-page.ts';
import { useTabFromRow } from './use-tab-from-row.ts';
import { useTitle } from './use-title.ts';

interface Props {
  readonly title: ReactNode;
  readonly onClose: () => void;
  /** Title of the browser's tab while the entry fills the page. */
  readonly pageTitle?: string | undefined;
  readonly children: ReactNode;
}

/** One entry beside its list, which stays usable. It becomes a full page at a click. */
export function PageDrawer({ title, onClose, pageTitle, children }: Props) {
  const { general } = useTexts();
  const { isFull, setFull } = useFullPage();
  useTitle(isFull ? pageTitle : undefined);
  useCloseOnEscape(onClose);
  const drawer = useRef<HTMLDivElement>(null);
  useTabFromRow(drawer);
  const [content, setContent] = useState<HTMLDivElement | null>(null);
  useCoveredPage(content);
  useEffect(() => takeFocus(content), [content]);
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      closeOnEscape={false}
      position="right"
      size={isFull ? 'calc(100vw - var(--fr-side-width))' : 'lg'}
      lockScroll={false}
      trapFocus={false}
      shadow={isFull ? 'none' : 'md'}
      classNames={{ inner: isFull ? (styles.full ?? '') : '' }}
    >
      <Drawer.Content ref={drawer}>
        <Drawer.Header className={styles.header ?? ''}>
          <Drawer.Title className={styles.title ?? ''}>
            {typeof title === 'string' ? (
              <Text size="lg" fw={600} span>
                {title}
              </Text>
            ) : (
              title
            )}
          </Drawer.Title>
          <FullPageButton isFull={isFull} onToggle={setFull} />
          <Drawer.CloseButton aria-label={general.close} ml={0} />
        </Drawer.Header>
        <Drawer.Body>
          <div ref={setContent} tabIndex={-1} className={styles.content}>
            {children}
          </div>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

interface FullPageProps {
  readonly isFull: boolean;
  readonly onToggle: (isFull: boolean) => void;
}

/** On a phone the drawer is as large as the page anyway. */
function FullPageButton({ isFull, onToggle }: FullPageProps) {
  const { general } = useTexts();
  const label = isFull ? general.besideList : general.fullPage;
  const Icon = isFull ? IconArrowsMinimize : IconArrowsMaximize;
  return (
    <Tooltip label={label}>
      <ActionIcon visibleFrom="sm" aria-label={label} onClick={() => onToggle(!isFull)}>
        <Icon size="1rem" aria-hidden="true" />
      </ActionIcon>
    </Tooltip>
  );
}

/**
 * Takes the focus, unless it is in a dialog, such as the search that somebody opened meanwhile, or in the list beside the
 * drawer, where the arrows lead to the next entry.
 */
function takeFocus(content: HTMLElement | null): void {
  const holder = document.activeElement?.closest('[role="dialog"], table');
  if (!holder || holder.closest('[inert]')) content?.focus({ preventScroll: true });
}

/**
 * Closes the drawer on Escape, unless a dialog is above it. Mantine would close both. This listener is older than that
 * of any dialog opened later, so it still sees the dialog.
 */
function useCloseOnEscape(onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const closeIfOnTop = (event: KeyboardEvent) => {
      const { key, target } = event;
      if (key !== 'Escape' || isForInputMethod(event)) return;
      // Set by Mantine on a field whose list of options is open.
      const isTaken = target instanceof Element && target.matches('[data-mantine-stop-propagation="true"]');
      if (!isTaken && document.querySelectorAll('[role="dialog"]').length === 1) close();
    };
    addEventListener('keydown', closeIfOnTop, { capture: true });
    return () => removeEventListener('keydown', closeIfOnTop, { capture: true });
  }, []);
}
