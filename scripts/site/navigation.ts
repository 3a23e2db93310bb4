import { pageLink, sitePages, titleOf } from './site-pages.ts';

export interface NavigationLink {
  readonly text: string;
  readonly link: string;
}

export interface NavigationGroup {
  readonly text: string;
  readonly collapsed?: boolean;
  readonly items: readonly NavigationLink[];
}

/** The links at the top of every page. */
export const topLinks: readonly NavigationLink[] = [
  { text: 'Interface', link: '/docs/interface' },
  { text: 'Operations', link: '/docs/operations' },
  { text: 'Error codes', link: '/docs/errors' },
  { text: 'Operating', link: '/docs/operating' },
];

interface Section {
  readonly title: string;
  /** Documents that come first, in this order; the others follow in listing order. */
  readonly first: readonly string[];
  readonly others?: RegExp;
  readonly collapsed?: boolean;
}

const sections: readonly Section[] = [
  { title: 'Start', first: ['README.md'] },
  {
    title: 'Guides and reference',
    first: [
      'docs/interface.md',
      'docs/operations.md',
      'docs/errors.md',
      'docs/importing-users.md',
      'docs/operating.md',
      'docs/backup.md',
      'docs/console.md',
      'docs/deploying.md',
      'docs/keys.md',
      'docs/doctor.md',
      'docs/monitoring.md',
      'docs/runbook.md',
      'docs/reliability.md',
      'docs/protection.md',
      'docs/security-checklist.md',
      'docs/scaling.md',
    ],
    others: /^docs\//,
  },
  {
    title: 'Packages',
    first: ['packages/client/README.md', 'packages/signing/README.md'],
    others: /^packages\//,
  },
  { title: 'Examples', first: ['examples/README.md'], others: /^(e2e\/)?examples\//, collapsed: true },
  { title: 'Decisions', first: ['decisions/README.md'], others: /^decisions\//, collapsed: true },
  {
    title: 'Project',
    first: ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
    others: /^[^/]+$/,
  },
];

/** Returns the groups in the sidebar of every page. Each page is in one group. */
export function navigation(root: string): NavigationGroup[] {
  const pages = sitePages(root);
  const listed = new Set<string>();
  return sections.map(({ title, first, others, collapsed }) => {
    const following = pages.filter(
      (page) => others?.test(page) && !first.includes(page) && !listed.has(page),
    );
    const items = [...first, ...following];
    for (const page of items) listed.add(page);
    return { text: title, ...(collapsed && { collapsed }), items: items.map((page) => linkTo(root, page)) };
  });
}

function linkTo(root: string, page: string): NavigationLink {
  return { text: titleOf(root, page), link: pageLink(page) };
}
