import { Drawer, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../i18n/texts.ts';

interface Props {
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** One entry beside its list, which stays usable. */
export function PageDrawer({ title, onClose, children }: Props) {
  const { general } = useTexts();
  return (
    <Drawer
      opened
      onClose={onClose}
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
      {children}
    </Drawer>
  );
}
