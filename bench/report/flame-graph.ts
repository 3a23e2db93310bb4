import { type CallFrame, type CpuProfile, frameName, selfTimes } from './cpu-profile.ts';
import { drawPicture, escapeXml } from './svg.ts';

const [width, rowHeight, top, side] = [1212, 17, 68, 16] as const;

/** Calls with a smaller share of the time are left out: they would be thinner than a line. */
const shareMin = 0.001;

/** What fits of a name into a box, in characters of this width. */
const characterWidth = 6.2;

/** Who wrote the code, in the order of the legend. */
const origins = ['ours', 'packages', 'Node.js', 'native'] as const;

const style = `
text { font: 11px sans-serif; fill: #1f2328; }
.ground { fill: #ffffff; stroke: #d1d9e0; }
.ours { fill: #f6b26b; } .packages { fill: #b4d7a8; } .node { fill: #a9c7ea; } .native { fill: #d5d5d5; }
rect:hover { stroke: #1f2328; }`;

/** A call with all that it calls, and its time in microseconds. */
interface Call {
  readonly frame: CallFrame;
  readonly time: number;
  readonly calls: readonly Call[];
}

/**
 * An SVG picture of where a profile's time was spent: each box is a call, as wide as its share, above what it
 * calls. Whoever points at a box reads its name and its share.
 */
export function drawFlameGraph(profile: CpuProfile, caption: string): string {
  const root = toCalls(profile);
  const boxes = [...drawCalls(root.calls, root.time, side, 0)];
  const height = top + (1 + Math.max(0, ...boxes.map(({ depth }) => depth))) * rowHeight + side;
  const parts = [...origins.map(legend), ...boxes.map(({ svg }) => svg)];
  return drawPicture({ width, height, caption, style }, parts);
}

function toCalls(profile: CpuProfile): Call {
  const times = selfTimes(profile);
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const build = (id: number): Call => {
    const { callFrame: frame, children = [] } = nodes.get(id) ?? { callFrame: noFrame };
    const calls = children.map(build);
    return { frame, calls, time: calls.reduce((sum, { time }) => sum + time, times.get(id) ?? 0) };
  };
  return build(profile.nodes[0]?.id ?? 0);
}

const noFrame: CallFrame = { functionName: '', url: '', lineNumber: 0 };

/** Beside each other, the dearest first. */
function* drawCalls(
  calls: readonly Call[],
  total: number,
  left: number,
  depth: number,
): Generator<{ svg: string; depth: number }> {
  let x = left;
  for (const call of calls.toSorted((a, b) => b.time - a.time)) {
    const share = call.time / total;
    if (!(share >= shareMin)) return;
    yield { svg: box(call.frame, share, x, depth), depth };
    yield* drawCalls(call.calls, total, x, depth + 1);
    x += share * (width - 2 * side);
  }
}

function box(frame: CallFrame, share: number, x: number, depth: number): string {
  const [y, boxWidth] = [top + depth * rowHeight, share * (width - 2 * side)];
  const name = frameName(frame);
  const fits = Math.floor((boxWidth - 4) / characterWidth);
  const shown = name.length <= fits ? name : `${name.slice(0, Math.max(0, fits - 1))}…`;
  const label = fits < 3 ? '' : `<text x="${rounded(x + 3)}" y="${y + 12}">${escapeXml(shown)}</text>`;
  return (
    `<g><title>${escapeXml(`${name}: ${(100 * share).toFixed(1)} %`)}</title>` +
    `<rect class="${classOf(originOf(frame))}" x="${rounded(x)}" y="${y}" width="${rounded(boxWidth)}" height="${rowHeight - 1}"/>${label}</g>`
  );
}

function legend(origin: (typeof origins)[number], index: number): string {
  const x = side + 100 * index;
  return `<rect class="${classOf(origin)}" x="${x}" y="42" width="12" height="12"/><text x="${x + 18}" y="52">${origin}</text>`;
}

function originOf({ url }: CallFrame): (typeof origins)[number] {
  if (url === '') return 'native';
  if (url.startsWith('node:')) return 'Node.js';
  return url.includes('/node_modules/') ? 'packages' : 'ours';
}

function classOf(origin: (typeof origins)[number]): string {
  return origin === 'Node.js' ? 'node' : origin;
}

function rounded(value: number): number {
  return Math.round(10 * value) / 10;
}
