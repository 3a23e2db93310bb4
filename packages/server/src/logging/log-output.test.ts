import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';

const linesOfEach = 3_000;

/** Writes lines of very different lengths, several of which exceed what a pipe takes in one piece. */
const program = `
  const { openLogOutput } = await import(${JSON.stringify(new URL('log-output.ts', import.meta.url).href)});
  const [mark, besideOthers] = process.argv.slice(1);
  const output = openLogOutput(besideOthers === 'true');
  for (let index = 0; index < ${linesOfEach}; index++) {
    output.write(mark + index + ' ' + mark.repeat((index * 997) % 3900) + '\\n');
    if (index % 7 === 0) await new Promise(setImmediate);
  }
  // On a busy machine, the reader may need longer than one wait.
  for (let waits = 0; waits < 20; waits++) await output.end();`;

/** Returns what processes write to the same pipe. A shell starts them, because Node.js would give a child a socket. */
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

test('lines of several processes on one pipe do not interleave', async () => {
  const lines = (await written(['a', 'b', 'c'], true)).trimEnd().split('\n');
  assert.equal(lines.length, 3 * linesOfEach);
  for (const line of lines) assert.match(line, /^([abc])\d+ \1*$/);
});

/** A process that never ends must fail its test. */
const timeout = 240_000;

test('a single line is written while the process goes on', async () => {
  const idle = `
    const { openLogOutput } = await import(${JSON.stringify(new URL('log-output.ts', import.meta.url).href)});
    openLogOutput(false).write('alone\\n');
    setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', idle], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = await once(child.stdout, 'data', { signal: AbortSignal.timeout(timeout) });
    assert.equal(String(line), 'alone\n');
  } finally {
    child.kill('SIGKILL');
  }
});

const linesUnread = 400_000;

/**
 * Writes a hundred megabytes while nobody reads, and reports its memory. When told to go on, it writes further lines
 * until its input ends, and then the last one.
 */
const unreadProgram = `
  import { writeSync } from 'node:fs';
  import { setTimeout as delay } from 'node:timers/promises';
  const { openLogOutput } = await import(${JSON.stringify(new URL('log-output.ts', import.meta.url).href)});
  const output = openLogOutput(process.argv[1] === 'true');
  const before = process.memoryUsage.rss();
  for (let index = 0; index < ${linesUnread}; index++) {
    output.write(JSON.stringify({ index, text: 'x'.repeat(240) }) + '\\n');
    if (index % 1000 === 0) await new Promise(setImmediate);
  }
  writeSync(2, String(process.memoryUsage.rss() - before));
  if (process.argv[2] === 'go-on') {
    await new Promise((resume) => process.stdin.once('data', resume));
    let probes = 0;
    const lineCameThrough = new Promise((resume) => process.stdin.once('end', resume)).then(() => true);
    do {
      output.write(JSON.stringify({ probe: probes++ }) + '\\n');
    } while (!(await Promise.race([lineCameThrough, delay(5).then(() => false)])));
    output.write(JSON.stringify({ index: ${linesUnread}, probes }) + '\\n');
  }
  if (process.argv[2] === 'exit') process.exit(0);
  await output.end();`;

/** Starts the program with a shell in between: standard output is a pipe, and nothing reads it until told to. */
function startUnread(besideOthers: boolean, then: 'go-on' | 'end' | 'exit') {
  const shell =
    '{ "$0" --input-type=module -e "$1" "$2" "$3"; echo "ended $?" >&2; } | (cat <&3 >/dev/null; cat)';
  return spawn('sh', ['-c', shell, process.execPath, unreadProgram, String(besideOthers), then], {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
}

const grownBytesMax = 80 * 1024 * 1024;

for (const besideOthers of [false, true]) {
  test(`an output that nobody reads takes bounded memory, and reports how many lines it lost (beside others: ${besideOthers})`, {
    timeout,
  }, async () => {
    const child = startUnread(besideOthers, 'go-on');
    const [grown] = await once(child.stderr, 'data');
    assert.ok(Number(grown) < grownBytesMax, `grew by ${grown} bytes`);
    (child.stdio[3] as Socket).end();
    child.stdin.write('go on');
    let output = '';
    for await (const more of child.stdout.setEncoding('utf8')) {
      output += more;
      if (more.includes('probe')) child.stdin.end();
    }
    const lines = output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const notices = lines.filter(({ dropped_lines }) => dropped_lines !== undefined);
    const written = lines.filter(({ dropped_lines }) => dropped_lines === undefined);
    const last = written.at(-1);
    const dropped = notices.reduce((sum, { dropped_lines }) => sum + dropped_lines, 0);
    assert.ok(dropped > 0);
    assert.equal(written.length + dropped, linesUnread + last.probes + 1, 'every line is there or counted');
    assert.equal(last.index, linesUnread, 'lines that come later are written again');
    assert.equal(notices[0].level, 40);
  });
}

for (const then of ['end', 'exit'] as const) {
  test(`a process whose output nobody reads ends (${then})`, { timeout }, async () => {
    const child = startUnread(false, then);
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (more: string) => {
      errors += more;
    });
    // Its memory and its end may arrive at once.
    while (!errors.includes('ended')) await once(child.stderr, 'data');
    assert.match(errors, /^\d+ended 0/);
    (child.stdio[3] as Socket).end();
    child.stdin.end();
    child.stdout.resume();
    await once(child, 'close');
  });
}

test('an output on a full disk loses lines but does not end the process', async (t) => {
  if (!existsSync('/dev/full')) {
    t.diagnostic('NOT TESTED: this system has no /dev/full');
    return;
  }
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, ['--input-type=module', '-e', unreadProgram, 'false', 'end'], {
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  assert.ok(child.stderr !== null);
  const [errors, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  assert.match(errors, /^\d+$/);
  assert.equal(exitCode, 0);
});

/** Writes a line every few milliseconds into a file of limited size, until its input ends. */
const limitedProgram = `
  import { setTimeout as delay } from 'node:timers/promises';
  const { openServerLog } = await import(${JSON.stringify(new URL('server-log.ts', import.meta.url).href)});
  const log = openServerLog({ logLevel: 'info', logFormat: 'json' }, process.env, false);
  let isOver = false;
  process.stdin.resume().once('end', () => { isOver = true; });
  while (!isOver) { log.announce({}, 'x'.repeat(200)); await delay(5); }
  process.stdin.destroy();
  log.announce({}, 'last');
  await log.end();`;

test('a log file at its limit loses lines, which standard error tells once, and the log tells their number and why', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-log-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'log');
  const shell = 'ulimit -f 16; exec "$0" --conditions=fieldroster-source --input-type=module -e "$1" >>"$2"';
  const child = spawn('bash', ['-c', shell, process.execPath, limitedProgram, file], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (more: string) => {
    errors += more;
  });
  const ended = once(child, 'close');
  while (!errors.includes('\n') && child.exitCode === null)
    await Promise.race([once(child.stderr, 'data'), ended]);
  truncateSync(file);
  child.stdin.end();
  const [exitCode] = await ended;
  assert.equal(exitCode, 0, errors);
  const { level, msg } = JSON.parse(errors);
  assert.equal(level, 50);
  assert.match(
    msg,
    /^the log cannot be written to standard output \(file too large\), so its lines are dropped: /,
  );
  const lines = readFileSync(file, 'utf8').split('\n');
  const notice = lines.find((line) => line.includes('"dropped_lines"')) ?? '';
  assert.match(
    notice,
    /"msg":"log lines were dropped, because standard output could not be written \(file too large\)"/,
  );
  assert.match(lines.at(-2) ?? '', /"msg":"last"/);
});
