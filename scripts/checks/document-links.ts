const anyLink = [
  /\]\(([^)\s]+)(?: "[^"\n]*")?\)/g,
  /^ {0,3}\[[^\]\n]+\]:\s+(\S+)/gm,
  /<a\b[^>]*?\shref="([^"\s]+)/g,
];

const anyImage = [
  /!\[[^\]\n]*\]\(([^)\s]+)(?: "[^"\n]*")?\)/g,
  /<(?:img|source)\b[^>]*?\ssrc(?:set)?="([^"\s]+)/g,
];

/** Lists the targets of a Markdown document's links and images as written: paths, anchors and URLs. */
export function linksOf(markdown: string): string[] {
  return [...new Set([...targetsOf(markdown, anyLink), ...imagesOf(markdown)])];
}

/** Lists the targets of a Markdown document's images. */
export function imagesOf(markdown: string): string[] {
  return targetsOf(markdown, anyImage);
}

/** Returns whether a target is a URL, not a path or an anchor of the repository. */
export function isUrl(target: string): boolean {
  return /^(?:[a-z][a-z+.-]*:|\/\/)/i.test(target);
}

/** Removes code blocks, which contain neither headings nor links. */
export function withoutCodeBlocks(markdown: string): string {
  return markdown.replace(/^( *)(```+|~~~+)[^\n]*\n[\s\S]*?^\1\2 *$/gm, '');
}

function targetsOf(markdown: string, patterns: readonly RegExp[]): string[] {
  const text = withoutCodeBlocks(markdown).replace(/`[^`\n]+`/g, '');
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, target]) => target ?? ''));
}
