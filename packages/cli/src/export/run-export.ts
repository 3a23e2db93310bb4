import { existsSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { withClient } from '../call/open-client.ts';
import { replaceFile, requireReplaceable } from '../files/private-files.ts';
import { batches, print } from '../output/print.ts';
import { endOnSignal } from '../process/end-on-signal.ts';
import { UsageError } from '../run-program.ts';
import { filtersOf } from '../user/user-filters.ts';
import type { ExportFlags } from './export-flags.ts';
import { type ExportedUser, exportedUsers } from './exported-users.ts';
import { csv, type Format, jsonl } from './format-users.ts';

export async function runExport(path: string | undefined, flags: ExportFlags): Promise<void> {
  if (path !== undefined) await requireFileName(path);
  const format = chooseFormat(path, flags);
  if (path !== undefined && flags.overwrite !== true && existsSync(path)) {
    throw new UsageError(`${path} already exists; replace it with --overwrite, or name another file`);
  }
  await withClient(flags, async (client) => {
    const users = exportedUsers(client, filtersOf(flags), flags.columns);
    if (path === undefined) {
      await write(users, format, print);
      return;
    }
    // The draft holds personal data. Without this, an interrupted command would leave it behind.
    endOnSignal();
    const count = await replaceFile(path, (file) => write(users, format, (text) => append(file, text)));
    const text = `exported ${count} ${count === 1 ? 'user' : 'users'} to ${path}\n`;
    await print(flags.json ? `${JSON.stringify({ users: count, file: path })}\n` : text);
  });
}

/** @throws {UsageError} when the path names a folder, a device or a pipe */
async function requireFileName(path: string): Promise<void> {
  await requireReplaceable(path).catch(({ message }: Error) => {
    throw new UsageError(`${message}, or leave it out and redirect the output`);
  });
}

/** Returns false when nobody reads any more. */
type WriteText = (text: string) => Promise<boolean>;

async function append(file: FileHandle, text: string): Promise<true> {
  await file.appendFile(text);
  return true;
}

async function write(
  users: AsyncIterable<ExportedUser>,
  format: Format,
  writeText: WriteText,
): Promise<number> {
  let count = 0;
  await writeText(format.head);
  for await (const batch of batches(users)) {
    if (!(await writeText(format.rows(batch)))) break;
    count += batch.length;
  }
  return count;
}

function chooseFormat(path: string | undefined, flags: ExportFlags): Format {
  const [, ending] = /\.(csv|jsonl)$/i.exec(path ?? '') ?? [];
  const named = ending?.toLowerCase();
  if (flags.format !== undefined && named !== undefined && flags.format !== named)
    throw new UsageError(
      `${path} ends in .${ending}, and --format is ${flags.format}; an import takes the format from the file name, so change one of them`,
    );
  const name = flags.format ?? named ?? (path === undefined ? 'csv' : undefined);
  if (name === 'jsonl') return jsonl;
  if (name === 'csv') return csv(flags.columns, flags.storeSeparator, flags.bom === true);
  throw new UsageError(`${path} must end in .csv or .jsonl, or --format must say what to write`);
}
