import type { Figure, Spread } from './figure.ts';

const [width, rowHeight, labelWidth, plotWidth] = [960, 34, 420, 440] as const;
const top = 56;

/** Ratios from a hundredth to a hundredfold, on a scale where twice and half are as far from the middle. */
const [least, most] = [0.01, 100] as const;

/** An SVG picture of every ratio with its range; a line stands where both sides are equal. */
export function plotRatios(figures: readonly Figure[], caption: string): string {
  const height = top + figures.length * rowHeight + 40;
  const bottom = height - 34;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13">`,
    `<title>${escapeXml(caption)}</title>`,
    `<rect width="${width}" height="${height}" fill="white"/>`,
    `<text x="12" y="24" font-size="16">${escapeXml(caption)}</text>`,
    ...[0.01, 0.1, 1, 10, 100].map((value) => gridLine(value, bottom)),
    ...figures.map((figure, index) => row(figure, top + (index + 0.5) * rowHeight)),
    '</svg>',
    '',
  ].join('\n');
}

function gridLine(value: number, bottom: number): string {
  const x = position(value);
  const stroke = value === 1 ? '#555' : '#ddd';
  return (
    `<line x1="${x}" y1="${top - 8}" x2="${x}" y2="${bottom}" stroke="${stroke}"/>` +
    `<text x="${x}" y="${bottom + 18}" text-anchor="middle" fill="#555">${value}</text>`
  );
}

function row({ title, comparedTo, ratio, mark }: Figure, y: number): string {
  return [
    `<text x="12" y="${y}">${escapeXml(title)}</text>`,
    `<text x="12" y="${y + 13}" font-size="10" fill="#666">by ${escapeXml(comparedTo)}</text>`,
    mark === null ? '' : markLine(mark, y),
    rangeLine(ratio, y),
    `<circle cx="${position(ratio.median)}" cy="${y}" r="5" fill="#1f5fbf"/>`,
    `<text x="${labelWidth + plotWidth + 24}" y="${y + 4}">${ratio.median.toPrecision(3)}</text>`,
  ].join('');
}

function rangeLine({ min, max }: Spread, y: number): string {
  return `<line x1="${position(min)}" y1="${y}" x2="${position(max)}" y2="${y}" stroke="#1f5fbf" stroke-width="3"/>`;
}

function markLine(mark: number, y: number): string {
  const x = position(mark);
  return `<line x1="${x}" y1="${y - 12}" x2="${x}" y2="${y + 12}" stroke="#c03030" stroke-width="2"/>`;
}

function position(value: number): number {
  const share = Math.log(Math.min(most, Math.max(least, value)) / least) / Math.log(most / least);
  return Math.round(10 * (labelWidth + share * plotWidth)) / 10;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
