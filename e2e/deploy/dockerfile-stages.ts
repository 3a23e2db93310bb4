import { readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { listFiles } from '../../scripts/list-files.ts';

export interface DockerfileStage {
  readonly name: string | undefined;
  readonly instructions: readonly DockerfileInstruction[];
}

export interface DockerfileInstruction {
  /** In capitals, for example `COPY`. */
  readonly keyword: string;
  readonly rest: string;
}

/** Splits a Dockerfile into its stages. Continued lines are joined, comments left out. */
export function readStages(dockerfile: string): readonly DockerfileStage[] {
  const lines = dockerfile
    .replace(/^\s*#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n');
  const stages: { name: string | undefined; instructions: DockerfileInstruction[] }[] = [];
  for (const line of lines) {
    const [, keyword, rest] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (keyword === undefined || rest === undefined) continue;
    if (keyword === 'FROM') stages.push({ name: / AS (\w+)$/.exec(rest)?.[1], instructions: [] });
    else stages.at(-1)?.instructions.push({ keyword, rest });
  }
  return stages;
}

/**
 * Lists the files that the builder of an image gets, by the rules of `.dockerignore`: of all patterns that match a
 * file or a folder above it, the last one decides.
 */
export function listContext(root: string): readonly string[] {
  const patterns = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n').filter(Boolean);
  return listFiles(root).filter((file) => {
    const deciding = patterns.findLast((pattern) => {
      const glob = pattern.replace(/^!/, '');
      return matchesGlob(file, glob) || matchesGlob(file, `${glob}/**`);
    });
    return deciding === undefined || deciding.startsWith('!');
  });
}

/** Returns what a `COPY` of the context takes, as pairs of a file and its place below the working folder. */
export function copiedFiles(
  { rest }: DockerfileInstruction,
  context: readonly string[],
): readonly (readonly [from: string, to: string])[] {
  const words = rest.split(' ');
  const target = words.pop() ?? '.';
  return words.flatMap((source) => {
    const inside = context.filter((file) => file === source || file.startsWith(`${source}/`));
    if (inside.length === 0) throw new Error(`COPY ${rest}: the builder gets no ${source}`);
    return inside.map((file) => {
      const name = file === source ? (source.split('/').at(-1) ?? source) : file.slice(source.length + 1);
      return [file, file === source && !target.endsWith('/') ? target : join(target, name)] as const;
    });
  });
}
