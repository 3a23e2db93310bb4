import { ActionIcon, Kbd, Menu } from '@mantine/core';
import { IconExternalLink, IconQuestionMark } from '@tabler/icons-react';
import { Suspense, useEffect, useEffectEvent, useState } from 'react';
import { operationsOrigin } from '../../api/operations-origin.ts';
import { useSession } from '../../api/session.ts';
import { useTexts } from '../../i18n/texts.ts';
import { isTyped } from '../../parts/fields/is-typed.ts';
import { lazyPart } from '../../parts/loading/lazy-part.tsx';

const Shortcuts = lazyPart(async () => (await import('./shortcuts.tsx')).Shortcuts);

/** The shortcuts, the reference and the release. `?` shows the shortcuts. */
export function HelpMenu() {
  const { help, product } = useTexts();
  const { release, base_path, operations_port } = useSession();
  const [isShown, setShown] = useState(false);
  useQuestionMark(() => setShown(true));
  return (
    <>
      <Menu position="bottom-end" width={240} transitionProps={{ duration: 100 }}>
        <Menu.Target>
          <ActionIcon aria-label={help.title}>
            <IconQuestionMark size="1.125rem" aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item rightSection={<Kbd size="xs">?</Kbd>} onClick={() => setShown(true)}>
            {help.shortcuts}
          </Menu.Item>
          <Menu.Item
            component="a"
            href={`${operationsOrigin(operations_port)}${base_path}/docs`}
            target="_blank"
            rightSection={<IconExternalLink size="0.875rem" aria-hidden="true" />}
          >
            {help.reference}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>
            {product} {release}
          </Menu.Label>
        </Menu.Dropdown>
      </Menu>
      <Suspense>{isShown && <Shortcuts onClose={() => setShown(false)} />}</Suspense>
    </>
  );
}

/** Calls `show` on `?`, which needs other keys on other keyboards. */
function useQuestionMark(show: () => void): void {
  const onQuestionMark = useEffectEvent(show);
  useEffect(() => {
    const showUnlessTyped = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || isTyped(event.target)) return;
      onQuestionMark();
    };
    addEventListener('keydown', showUnlessTyped);
    return () => removeEventListener('keydown', showUnlessTyped);
  }, []);
}
