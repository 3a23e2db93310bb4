import { Drawer } from '@mantine/core';
import { useTexts } from '../../i18n/texts.ts';
import { Navigation } from './navigation.tsx';

interface Props {
  readonly onClose: () => void;
}

/** The navigation, over the page. */
export function MenuDrawer({ onClose }: Props) {
  const { product } = useTexts();
  return (
    <Drawer opened onClose={onClose} size={240} title={product} data-navigation>
      <Navigation onNavigate={onClose} />
    </Drawer>
  );
}
