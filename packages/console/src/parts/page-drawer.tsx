import { Drawer, Text } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { useTexts } from '../i18n/texts.ts';
import styles from './page-drawer.module.css';

interface Props {
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** One entry beside its list, which stays usable. */
export function PageDrawer({ title, onClose, children }: Props) {
  const { general } = useTexts();
  useCloseOnEscape(onClose);
  return (
    <Drawer
      opened
      onClose={onClose}
      closeOnEscape={false}
      position="right"
      size="lg"
      withOverlay={false}
      lockScroll={false}
      trapFocus={false}
      shadow="md"
      closeButtonProps={{ 'aria-label': general.close }}
      title={
        typeof title === 'string' ? (
          <Text size="lg" fw={600} span>
            {title}
          </Text>
        ) : (
          title
        )
      }
    >
      <div ref={takeLostFocus} tabIndex={-1} className={styles.content}>
        {children}
      </div>
    </Drawer>
  );
}

/** Takes the focus if the button that led here is gone. Otherwise it stays in the list beside the drawer. */
function takeLostFocus(content: HTMLElement | null): void {
  if (document.activeElement === document.body) content?.focus();
}

/**
 * Closes the drawer on Escape, unless a dialog is above it. Mantine would close both. This listener is older than that
 * of any dialog opened later, so it still sees the dialog.
 */
function useCloseOnEscape(onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const closeIfOnTop = ({ key, isComposing, target }: KeyboardEvent) => {
      if (key !== 'Escape' || isComposing) return;
      // Set by Mantine on a field whose list of options is open.
      const isTaken = target instanceof Element && target.matches('[data-mantine-stop-propagation="true"]');
      if (!isTaken && document.querySelectorAll('[role="dialog"]').length === 1) close();
    };
    addEventListener('keydown', closeIfOnTop, { capture: true });
    return () => removeEventListener('keydown', closeIfOnTop, { capture: true });
  }, []);
}
