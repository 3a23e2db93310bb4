import { type Figure, markIsMet, markText, numberText } from './figure.ts';

const [width, rowHeight, top, bottomSpace] = [1000, 36, 64, 44];

/** A logarithmic scale. */
const [least, decades, left, perDecade] = [0.001, 6, 430, 67];
const textsLeft = left + decades * perDecade + 18;

/** Readable on any page, because it has its own background, light or dark as the reader prefers. */
const style = `
:root { --text: #1f2328; --quiet: #59636e; --line: #d1d9e0; --ground: #ffffff; --dot: #0969da; --mark: #bc4c00; --missed: #cf222e; }
@media (prefers-color-scheme: dark) {
:root { --text: #e6edf3; --quiet: #9198a1; --line: #3d444d; --ground: #0d1117; --dot: #4493f8; --mark: #f0883e; --missed: #ff7b72; }
}
text { fill: var(--text); font: 13px sans-serif; }
.quiet, .axis { fill: var(--quiet); font-size: 11px; }
.axis { text-anchor: middle; }
.missed { fill: var(--missed); font-size: 11px; }
.ground { fill: var(--ground); stroke: var(--line); }
.grid { stroke: var(--line); }
.even { stroke: var(--quiet); }
.dot { fill: var(--dot); stroke: var(--dot); stroke-width: 3; }
.mark { stroke: var(--mark); stroke-width: 2; }`;

/** Draws every ratio with its range and its mark. A line marks equality. */
export function plotRatios(figures: readonly Figure[], caption: string): string {
  const bottom = top + figures.length * rowHeight;
  const height = bottom + bottomSpace;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escapeXml(caption)}</title>`,
    `<style>${style}\n</style>`,
    `<rect class="ground" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6"/>`,
    `<text x="16" y="28" style="font-size: 16px">${escapeXml(caption)}</text>`,
    text('quiet', 16, 46, 'dot: median of the rounds; bar: their range; upright line: mark'),
    ...Array.from({ length: decades + 1 }, (_, decade) => gridLine(Number(`1e${decade - 3}`), bottom)),
    ...figures.map((figure, index) => row(figure, top + (index + 0.5) * rowHeight)),
    '</svg>',
    '',
  ].join('\n');
}

function gridLine(value: number, bottom: number): string {
  const x = position(value);
  return line(value === 1 ? 'even' : 'grid', x, top - 8, x, bottom) + text('axis', x, bottom + 18, value);
}

function row(figure: Figure, y: number): string {
  const { title, comparedTo, unit, measured, ratio, mark, limit } = figure;
  const promised = mark ?? (limit === null ? undefined : (limit / measured.median) * ratio.median);
  const markAt = promised && position(promised);
  return [
    text('', 16, y, title),
    text('quiet', 16, y + 14, `${numberText(measured.median)} ${unit}, by ${comparedTo}`),
    markAt && line('mark', markAt, y - 11, markAt, y + 11),
    line('dot', position(ratio.min), y, position(ratio.max), y),
    `<circle class="dot" cx="${position(ratio.median)}" cy="${y}" r="4"/>`,
    text('', textsLeft, y, numberText(ratio.median)),
    text(markIsMet(figure) === false ? 'missed' : 'quiet', textsLeft, y + 14, markText(figure)),
  ].join('');
}

function text(kind: string, x: number, y: number, content: string | number): string {
  return `<text class="${kind}" x="${x}" y="${y}">${escapeXml(String(content))}</text>`;
}

function line(kind: string, x1: number, y1: number, x2: number, y2: number): string {
  return `<line class="${kind}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`;
}

function escapeXml(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function position(ratio: number): number {
  const decade = Math.min(decades, Math.max(0, Math.log10(ratio / least)));
  return Math.round(left + decade * perDecade);
}
