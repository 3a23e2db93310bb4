import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServerProcess } from '../server-process.ts';

export interface ScrapedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The metrics of a server at one moment. */
export class Scrape {
  readonly text: string;
  readonly samples: readonly ScrapedSample[];

  constructor(text: string) {
    this.text = text;
    this.samples = text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map(parseSample);
  }

  /** Names of the metrics, including those without a value. */
  get names(): readonly string[] {
    return [...this.text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
  }

  /** Returns the sum of the samples with these labels; `undefined` if there are none. */
  sum(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const found = this.samples.filter(
      (sample) =>
        sample.name === name &&
        Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    );
    return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
  }
}

function parseSample(line: string): ScrapedSample {
  const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  assert.notEqual(name, '', line);
  const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', text = '']) => [label, text]);
  return { name, labels: Object.fromEntries(pairs), value: Number(value) };
}

/** Returns where the server says that it serves its metrics. The log may say so after the command's own output. */
export async function metricsUrl(server: ServerProcess): Promise<string> {
  for (;;) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+\/metrics/.exec(server.output) ?? [];
    if (url !== undefined) return url;
    await delay(20);
  }
}

/** How long a server sends the same metrics again, in milliseconds. */
const sharedMs = 1_000;

/** When the last scrape of each server was answered, by the clock of `performance.now()`. */
const answeredAtMs = new WeakMap<ServerProcess, number>();

/** Scrapes once the server no longer sends what it sent before. */
export async function scrape(server: ServerProcess): Promise<Scrape> {
  const lastMs = answeredAtMs.get(server) ?? Number.NEGATIVE_INFINITY;
  await delay(Math.max(0, lastMs + sharedMs - performance.now()));
  const response = await fetch(await metricsUrl(server));
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  const text = await response.text();
  answeredAtMs.set(server, performance.now());
  return new Scrape(text);
}
