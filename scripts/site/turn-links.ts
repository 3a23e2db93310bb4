import { siteLink } from './site-pages.ts';

/** The part of a markdown-it token that concerns links. */
interface Token {
  readonly type: string;
  readonly children: Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

/** Converts the links of a document to links of the site; a link that leads to no page becomes plain text. */
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
