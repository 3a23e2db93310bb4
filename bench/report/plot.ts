import { type Figure, markIsMet, markText, numberText } from './figure.ts';

const [width, rowHeight, labelWidth, plotWidth] = [1000, 36, 430, 400] as const;
const [top, bottomSpace] = [64, 44] as const;

/** A logarithmic scale. */
const [least, most] = [0.001, 1000] as const;
const gridValues = [0.001, 0.01, 0.1, 1, 10, 100, 1000];

/** Readable on any page, because it has its own background, light or dark as the reader prefers. */
const style = `
text { fill: #1f2328; font: 13px sans-serif; }
.ground { fill: #ffffff; stroke: #d1d9e0; }
.quiet { fill: #59636e; font-size: 11px; }
.grid { stroke: #d1d9e0; }
.even { stroke: #59636e; }
.range, .dot { stroke: #0969da; fill: #0969da; stroke-width: 3; }
.mark { stroke: #bc4c00; stroke-width: 2; }
.missed { fill: #cf222e; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.ground { fill: #0d1117; stroke: #3d444d; }
.quiet { fill: #9198a1; }
.grid { stroke: #3d444d; }
.even { stroke: #9198a1; }
.range, .dot { stroke: #4493f8; fill: #4493f8; }
.mark { stroke: #f0883e; }
.missed { fill: #ff7b72; }
}`;

/** Draws every ratio with its range and its mark. A line marks equality. */
export function plotRatios(figures: readonly Figure[], caption: string): string {
  const height = top + figures.length * rowHeight + bottomSpace;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escapeXml(caption)}</title>`,
    `<style>${style}\n</style>`,
    `<rect class="ground" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6"/>`,
    `<text x="16" y="28" style="font-size: 16px">${escapeXml(caption)}</text>`,
    '<text class="quiet" x="16" y="46">dot: median of the rounds; bar: their range; upright line: mark</text>',
    ...gridValues.map((value) => gridLine(value, height - bottomSpace)),
    ...figures.map((figure, index) => row(figure, top + (index + 0.5) * rowHeight)),
    '</svg>',
    '',
  ].join('\n');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function gridLine(value: number, bottom: number): string {
  const x = position(value);
  return (
    line(value === 1 ? 'even' : 'grid', [x, top - 8], [x, bottom]) +
    `<text class="quiet" x="${x}" y="${bottom + 18}" text-anchor="middle">${value}</text>`
  );
}

function row(figure: Figure, y: number): string {
  const { title, comparedTo, unit, measured, ratio, mark, limit } = figure;
  const value = `${numberText(measured.median)} ${unit}`;
  const missed = markIsMet(figure) === false;
  return [
    `<text x="16" y="${y}">${escapeXml(title)}</text>`,
    `<text class="quiet" x="16" y="${y + 14}">${escapeXml(`${value}, by ${comparedTo}`)}</text>`,
    mark === null ? '' : upright(mark, y),
    limit === null ? '' : upright((limit / measured.median) * ratio.median, y),
    line('range', [position(ratio.min), y], [position(ratio.max), y]),
    `<circle class="dot" cx="${position(ratio.median)}" cy="${y}" r="4"/>`,
    `<text x="${labelWidth + plotWidth + 20}" y="${y}">${numberText(ratio.median)}</text>`,
    `<text class="quiet${missed ? ' missed' : ''}" x="${labelWidth + plotWidth + 20}" y="${y + 14}">${escapeXml(markText(figure))}</text>`,
  ].join('');
}

function upright(value: number, y: number): string {
  const x = position(value);
  return line('mark', [x, y - 11], [x, y + 11]);
}

function line(name: string, [x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number]) {
  return `<line class="${name}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`;
}

function position(value: number): number {
  const share = Math.log(Math.min(most, Math.max(least, value)) / least) / Math.log(most / least);
  return Math.round(10 * (labelWidth + share * plotWidth)) / 10;
}
