import { dirname, relative, resolve } from 'node:path';
import { headingAnchor } from '../../scripts/heading-anchor.ts';
import { navigation, topLinks } from '../../scripts/site/navigation.ts';
import { pagePath, sitePages } from '../../scripts/site/site-pages.ts';
import { turnLinks } from '../../scripts/site/turn-links.ts';

// Started by scripts/build-site.ts in the folder of the site. This file is bundled before it runs, and so does not
// know where it is.
const root = dirname(process.cwd());

const srcDir = resolve('dist/pages');

/** Where on its web server the site will be. */
const base = process.env.SITE_BASE ?? '/';

const pages = new Set(sitePages(root));

/** As much of markdown-it as is used here. */
interface Markdown {
  readonly core: {
    readonly ruler: { push(name: string, rule: (state: MarkdownState) => void): void };
  };
}

interface MarkdownState {
  readonly tokens: Parameters<typeof turnLinks>[0];
  readonly env: { readonly path: string };
}

export default {
  title: 'Fieldroster',
  description: 'A user directory for retail and field operations',
  lang: 'en',
  base,
  head: [['link', { rel: 'icon', href: `${base}icon.svg` }]],
  srcDir,
  outDir: 'dist/html',
  cacheDir: 'dist/cache',
  rewrites: pagePath,
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: headingAnchor },
    config(markdown: Markdown) {
      markdown.core.ruler.push('links-of-the-site', ({ tokens, env }) => {
        turnLinks(tokens, relative(srcDir, env.path).replaceAll('\\', '/'), pages);
      });
    },
  },
  themeConfig: {
    nav: topLinks,
    sidebar: navigation(root),
    outline: [2, 3],
    search: { provider: 'local' },
    docFooter: { prev: false, next: false },
  },
};
