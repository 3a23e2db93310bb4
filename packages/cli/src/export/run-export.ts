import { existsSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { withClient } from '../call/open-client.ts';
import { replaceFile } from '../files/private-files.ts';
import { batches, print } from '../print.ts';
import { UsageError } from '../run-program.ts';
import { filtersOf } from '../user/user-filters.ts';
import type { ExportFlags } from './export-flags.ts';
import { type ExportedUser, exportedUsers } from './exported-users.ts';
import { csv, type Format, jsonl } from './format-users.ts';

export async function runExport(path: string | undefined, flags: ExportFlags): Promise<void> {
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
    const count = await replaceFile(path, (file) => write(users, format, (text) => append(file, text)));
    const text = `exported ${count} users to ${path}\n`;
    await print(flags.json ? `${JSON.stringify({ users: count, file: path })}\n` : text);
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
  const [, ending] = /\.(csv|jsonl)$/i.exec(path ?? '.csv') ?? [];
  const name = flags.format ?? ending?.toLowerCase();
  if (name === 'jsonl') return jsonl;
  if (name === 'csv') return csv(flags.columns, flags.storeSeparator, flags.bom === true);
  throw new UsageError(`${path} must end in .csv or .jsonl, or --format must say what to write`);
}
