import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';

const linesOfEach = 3_000;

/** Lines of very different lengths, of which several make up more than a pipe takes in one piece. */
const program = `
  const { openLogOutput } = await import(${JSON.stringify(new URL('log-output.ts', import.meta.url).href)});
  const [mark, besideOthers] = process.argv.slice(1);
  const output = openLogOutput(besideOthers === 'true');
  for (let index = 0; index < ${linesOfEach}; index++) {
    output.write(mark + index + ' ' + mark.repeat((index * 997) % 3900) + '\\n');
    if (index % 7 === 0) await new Promise(setImmediate);
  }
  await output.end();`;

/** What processes write to one and the same pipe; what Node.js itself makes for a child is a socket. */
async function written(marks: readonly string[], besideOthers: boolean): Promise<string> {
  const each = marks.map((mark) => `"$0" --input-type=module -e "$1" ${mark} ${besideOthers} &`);
  const child = spawn('sh', ['-c', `(${each.join(' ')} wait) | cat`, process.execPath, program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return output;
}

test('every line is written, in order, before the output has ended', async () => {
  const lines = (await written(['a'], false)).trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => line.split(' ')[0]),
    Array.from({ length: linesOfEach }, (_, index) => `a${index}`),
  );
});

test('lines of several processes on one pipe do not mix', async () => {
  const lines = (await written(['a', 'b', 'c'], true)).trimEnd().split('\n');
  assert.equal(lines.length, 3 * linesOfEach);
  for (const line of lines) assert.match(line, /^([abc])\d+ \1*$/);
});

test('a line is written without another one, while the process goes on', async () => {
  const idle = `
    const { openLogOutput } = await import(${JSON.stringify(new URL('log-output.ts', import.meta.url).href)});
    openLogOutput(false).write('alone\\n');
    setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', idle], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = await once(child.stdout, 'data', { signal: AbortSignal.timeout(20_000) });
    assert.equal(String(line), 'alone\n');
  } finally {
    child.kill('SIGKILL');
  }
});
