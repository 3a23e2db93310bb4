import { Avatar, Menu, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconLogout, IconLogout2 } from '@tabler/icons-react';
import { useSession } from '../../api/session.ts';
import { type Language, languages, useLanguage, useTexts } from '../../i18n/texts.ts';
import { useSignOut } from '../../pages/sign-in/use-sign-out.ts';
import { useDensity } from '../../parts/data-table/density.ts';

const colorSchemes = ['auto', 'light', 'dark'] as const;

/** The library's place for a mark is two pixels narrower than the icons of the other items. */
const paddingPixels = 14;

const mark = <IconCheck size="0.875rem" />;

/** Takes whole characters. */
function initials(username: string): string {
  return [...username].slice(0, 2).join('').toUpperCase();
}

/** Shows the signed-in operator, with language, theme and sign-out. */
export function AccountMenu() {
  const texts = useTexts();
  const { operator } = useSession();
  const { isDense, setDense } = useDensity();
  const signOut = useSignOut();
  return (
    <Menu position="bottom-end" width={220} transitionProps={{ duration: 100 }}>
      <Menu.Target>
        {/* The name begins with the letters that are seen, by which somebody who speaks to the computer presses it. */}
        <UnstyledButton>
          <Avatar size={28} radius="xl" color="accent">
            {initials(operator.username)}
          </Avatar>
          <VisuallyHidden>
            {` ${texts.general.titled(texts.navigation.account)}${operator.username}`}
          </VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{operator.username}</Menu.Label>
        <Menu.Divider />
        <LanguageItems />
        <ThemeItems />
        <Menu.Divider />
        <Menu.CheckboxItem
          checked={isDense}
          pl={paddingPixels}
          checkIcon={mark}
          onChange={setDense}
          closeMenuOnClick={false}
        >
          {texts.general.dense}
        </Menu.CheckboxItem>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size="0.875rem" />} onClick={() => signOut.run('signOut')}>
          {texts.navigation.signOut}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout2 size="0.875rem" />}
          onClick={() => signOut.run('signOutEverywhere')}
        >
          {texts.navigation.signOutEverywhere}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function LanguageItems() {
  const { general } = useTexts();
  const { language, setLanguage } = useLanguage();
  return (
    <>
      <Menu.Label>{general.language}</Menu.Label>
      <Menu.RadioGroup value={language} onChange={(key) => setLanguage(key as Language)}>
        {Object.entries(languages).map(([key, { name, tag }]) => (
          <Menu.RadioItem
            key={key}
            lang={tag}
            value={key}
            closeMenuOnClick
            checkIcon={mark}
            pl={paddingPixels}
          >
            {name}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}

function ThemeItems() {
  const { general } = useTexts();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>{general.theme.label}</Menu.Label>
      <Menu.RadioGroup
        value={colorScheme}
        onChange={(scheme) => setColorScheme(scheme as (typeof colorSchemes)[number])}
      >
        {colorSchemes.map((scheme) => (
          <Menu.RadioItem key={scheme} value={scheme} closeMenuOnClick checkIcon={mark} pl={paddingPixels}>
            {general.theme[scheme]}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}
