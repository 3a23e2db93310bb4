import { siteLink } from './site-pages.ts';

/** What markdown-it makes of a document, as far as links are concerned. */
interface Token {
  readonly type: string;
  readonly children: Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

/** The links of a document become links of the site; the text of one that leads to no page stays as text. */
export function turnLinks(tokens: readonly Token[], document: string, pages: ReadonlySet<string>): void {
  for (const { children } of tokens) {
    if (children !== null) children.splice(0, children.length, ...turned(children, document, pages));
  }
}

function turned(tokens: readonly Token[], document: string, pages: ReadonlySet<string>): Token[] {
  let isDropped = false;
  return tokens.filter((token) => {
    if (token.type === 'link_close' && isDropped) {
      isDropped = false;
      return false;
    }
    if (token.type !== 'link_open') return true;
    const link = siteLink(document, token.attrGet('href') ?? '', pages);
    if (link !== undefined) token.attrSet('href', link);
    isDropped = link === undefined;
    return !isDropped;
  });
}
