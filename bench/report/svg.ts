export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Stands at the top, in 40 pixels. */
  readonly caption: string;
  readonly style: string;
}

/** An SVG document that frames its parts, which are SVG themselves. */
export function drawPicture({ width, height, caption, style }: Picture, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escapeXml(caption)}</title>`,
    `<style>${style}\n</style>`,
    `<rect class="ground" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6"/>`,
    `<text x="16" y="28" style="font-size: 16px">${escapeXml(caption)}</text>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
