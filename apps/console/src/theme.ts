import {
  createTheme,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'indigo',
  // Dark enough for white text on it.
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  components: {
    Tooltip: { defaultProps: { openDelay: 300 } },
    // Locking the scrollbar needs an inline style element, which the page's policy forbids.
    Modal: { defaultProps: { lockScroll: false } },
    Drawer: { defaultProps: { lockScroll: false } },
  },
});

/** Colors with less contrast than WCAG AA asks for, replaced. */
const READABLE = {
  light: {
    '--mantine-color-dimmed': '#5c636a',
    '--mantine-color-placeholder': '#6b7280',
    '--mantine-color-error': '#b02525',
    '--mantine-color-orange-light-color': '#9c3600',
    '--mantine-color-green-light-color': '#1c6b33',
    '--mantine-color-red-light-color': '#b02525',
  },
  dark: {
    '--mantine-color-dimmed': '#a6adb5',
    '--mantine-color-placeholder': '#949ba3',
    '--mantine-color-error': '#ffa8a8',
  },
};

/**
 * Sets the theme's variables by a constructed style sheet. Mantine would write an inline style element, which the
 * page's policy forbids.
 */
export function applyTheme(): void {
  const { variables, light, dark } = defaultCssVariablesResolver(
    mergeMantineTheme(DEFAULT_THEME, theme),
  );
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    rule(':root', variables) +
      rule(':root[data-mantine-color-scheme="light"]', { ...light, ...READABLE.light }) +
      rule(':root[data-mantine-color-scheme="dark"]', { ...dark, ...READABLE.dark }),
  );
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** Prints in the light colors, whichever the screen has: paper is white, and dark areas waste ink. */
export function printInLight(): void {
  const { dataset } = document.documentElement;
  let of_screen: string | undefined;
  window.addEventListener('beforeprint', () => {
    of_screen = dataset.mantineColorScheme;
    dataset.mantineColorScheme = 'light';
  });
  window.addEventListener('afterprint', () => {
    if (of_screen !== undefined) dataset.mantineColorScheme = of_screen;
  });
}

function rule(selector: string, variables: Readonly<Record<string, string>>): string {
  const lines = Object.entries(variables).map(([name, value]) => `${name}: ${value};`);
  return `${selector} { ${lines.join(' ')} }\n`;
}
