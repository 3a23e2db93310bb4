import {
  ActionIcon,
  type AlertFactory,
  Button,
  type CSSVariablesResolver,
  createTheme,
  type DrawerFactory,
  type ExtendComponent,
  type MantineColorsTuple,
  type MenuFactory,
  type ModalFactory,
  mergeThemeOverrides,
  type NotificationFactory,
  type SegmentedControlFactory,
  Select,
  TextInput,
  Tooltip,
} from '@mantine/core';

/** From the lightest tint to the darkest accent; 7 is the accent of the light theme, 3 that of the dark one. */
const accent: MantineColorsTuple = [
  '#e2f1ec',
  '#c3e4da',
  '#93d4c2',
  '#5ed0b3',
  '#36b698',
  '#1f9a7e',
  '#128068',
  '#0b6b57',
  '#085546',
  '#06231c',
];

/** The library's own greys are bluish in the light theme and colourless in the dark one. */
const gray: MantineColorsTuple = [
  '#f6f7f5',
  '#f1f3f1',
  '#e7ebe8',
  '#d9dedb',
  '#c6cdc9',
  '#a3b0ab',
  '#7c8884',
  '#50605a',
  '#37433f',
  '#17201d',
];

/** Mantine writes text with 0, draws borders with 4 and surfaces with 6; the page's background is 7. */
const dark: MantineColorsTuple = [
  '#e6ebe9',
  '#c5cfcb',
  '#a3b0ab',
  '#72807b',
  '#313a37',
  '#262d2b',
  '#1a1f1e',
  '#121615',
  '#141918',
  '#0d100f',
];

/** Dialogs lie on the surface, not on the page's background. */
const surface = { background: 'var(--fr-surface)' };

/** A long name must not push the button that closes what it names off the screen. */
const longTitle = { minWidth: 0, overflowWrap: 'anywhere' } as const;

const sizes = { xs: '0.75rem', sm: '0.875rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' };

// `Modal.extend` and the like would load these components with the first page.

const alertColors: Readonly<Record<string, string>> = { red: 'danger', accent: 'accent' };

// Mantine's own yellow draws more attention than anything else on a page, especially in the dark theme.
const alert: ExtendComponent<AlertFactory> = {
  styles: { message: { color: 'var(--fr-text)' } },
  vars: (_theme, { color }) => {
    const own = `var(--fr-${alertColors[String(color)] ?? 'warning'})`;
    const background = `color-mix(in srgb, ${own} 10%, var(--fr-surface))`;
    return { root: { '--alert-color': own, '--alert-bg': background } };
  },
};

const segmentedControl: ExtendComponent<SegmentedControlFactory> = {
  defaultProps: { transitionDuration: 0, withItemsBorders: false },
  styles: {
    root: {
      '--sc-label-color': 'var(--fr-text)',
      background: 'var(--fr-sunken)',
      outline: '1px solid var(--fr-line)',
      outlineOffset: '-1px',
    },
  },
};

const drawer: ExtendComponent<DrawerFactory> = {
  defaultProps: { transitionProps: { duration: 120 } },
  styles: { content: surface, header: surface, title: longTitle },
};

/** The page has one banner. The library's headers of dialogs would be more of them. */
const plainHeader = { defaultProps: { component: 'div' } };

const modal: ExtendComponent<ModalFactory> = {
  defaultProps: { transitionProps: { duration: 120 }, centered: true },
  styles: { content: surface, header: surface, title: { ...longTitle, fontSize: sizes.lg, fontWeight: 600 } },
};

// A menu may contain its items only, not what would take the focus before them.
const menu: ExtendComponent<MenuFactory> = {
  defaultProps: { withInitialFocusPlaceholder: false },
};

/** The library's own red differs from the palette's. */
const dangerButton = {
  '--button-bg': 'var(--fr-danger)',
  '--button-hover': 'color-mix(in srgb, var(--fr-danger) 88%, var(--fr-text))',
  '--button-color': 'var(--fr-surface)',
};

const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 3 },
  colors: { accent, gray, dark },
  autoContrast: true,
  luminanceThreshold: 0.35,
  defaultRadius: 6,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "PingFang SC", "Microsoft YaHei", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
  fontSizes: sizes,
  fontWeights: { regular: '400', medium: '600', bold: '600' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.25rem' }, h2: { fontSize: '1rem' }, h3: { fontSize: '0.875rem' } },
  },
  respectReducedMotion: true,
  components: {
    Alert: alert,
    Button: Button.extend({
      defaultProps: { size: 'xs' },
      vars: (_theme, { variant = 'filled', color }) => {
        if (variant !== 'filled') return { root: {} };
        return { root: color === 'red' ? dangerButton : { '--button-color': 'var(--fr-on-accent)' } };
      },
    }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: 'subtle', color: 'gray' } }),
    TextInput: TextInput.extend({ defaultProps: { size: 'sm' } }),
    SegmentedControl: segmentedControl,
    Select: Select.extend({ defaultProps: { size: 'sm', checkIconPosition: 'right' } }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 300, withArrow: true } }),
    Drawer: drawer,
    DrawerHeader: plainHeader,
    Menu: menu,
    Modal: modal,
    ModalHeader: plainHeader,
  },
});

/** Returns the theme with the name of the buttons that close dialogs and notifications. */
export function themeWithCloseLabel(label: string) {
  const closeButton = { defaultProps: { closeButtonProps: { 'aria-label': label } } };
  const notification: ExtendComponent<NotificationFactory> = closeButton;
  return mergeThemeOverrides(theme, {
    components: { Modal: closeButton, Drawer: closeButton, Notification: notification },
  });
}

/** Mantine's colours that are colours of the palette in either scheme. */
const ofPalette = {
  '--mantine-color-body': 'var(--fr-background)',
  '--mantine-color-text': 'var(--fr-text)',
  '--mantine-color-dimmed': 'var(--fr-quiet)',
  // The library writes on buttons in pure black or white.
  '--mantine-color-default-color': 'var(--fr-text)',
  '--mantine-color-bright': 'var(--fr-text)',
  '--mantine-color-default-border': 'var(--fr-line)',
  '--mantine-color-error': 'var(--fr-danger)',
  '--mantine-color-placeholder': 'var(--fr-quiet)',
  '--mantine-color-disabled-color': 'var(--fr-quiet)',
  // Mantine would derive these from the accent. In the dark, they would be darker than the page.
  '--mantine-color-accent-light': 'var(--fr-tint)',
  '--mantine-color-accent-light-color': 'var(--fr-accent)',
};

/** The palette. The style sheet of the reference at /docs repeats many of these colours. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...ofPalette,
    '--fr-background': '#f6f7f5',
    '--fr-surface': '#ffffff',
    '--fr-sunken': '#f1f3f1',
    '--fr-line': '#d9dedb',
    '--fr-field-border': '#7c8884',
    '--fr-text': '#17201d',
    '--fr-quiet': '#50605a',
    '--fr-accent': '#0b6b57',
    '--fr-on-accent': '#ffffff',
    '--fr-tint': '#e2f1ec',
    '--fr-danger': '#ab2f2f',
    '--fr-warning': '#8a5200',
    '--fr-info': '#1c5ea8',
    '--fr-plum': '#7a4a9e',
    '--fr-rose': '#b03a78',
    '--fr-olive': '#5f6d00',
    '--fr-cyan': '#00727f',
    '--mantine-color-disabled': '#e9edea',
  },
  dark: {
    ...ofPalette,
    '--fr-background': '#121615',
    '--fr-surface': '#1a1f1e',
    '--fr-sunken': '#141918',
    '--fr-line': '#313a37',
    '--fr-field-border': '#72807b',
    '--fr-text': '#e6ebe9',
    '--fr-quiet': '#a3b0ab',
    '--fr-accent': '#5ed0b3',
    '--fr-on-accent': '#06231c',
    '--fr-tint': '#1b322c',
    '--fr-danger': '#f59a94',
    '--fr-warning': '#efb566',
    '--fr-info': '#8bbdf5',
    '--fr-plum': '#cba6ee',
    '--fr-rose': '#f29bc4',
    '--fr-olive': '#c3d06a',
    '--fr-cyan': '#6fd0dd',
    '--mantine-color-default': '#1a1f1e',
    '--mantine-color-disabled': '#262e2c',
  },
});
