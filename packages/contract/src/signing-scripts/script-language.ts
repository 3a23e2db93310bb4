import type { ScriptLanguageId } from './signer-files.ts';

/** A request that a script signs and sends each time it runs. */
export interface ScriptRequest {
  readonly method: string;
  /** The part of the URL before `target`: scheme, host, and a prefix that a proxy removes. */
  readonly origin: string;
  /** Path and query as they are sent and signed, with the base path and percent-encoded. */
  readonly target: string;
  /** JSON text to send exactly as it is; `undefined` for no body. */
  readonly body: string | undefined;
}

/** A language in which the page writes a request as a script. */
export interface ScriptLanguage {
  readonly id: ScriptLanguageId;
  readonly name: string;
  readonly fileName: string;
  /** The command that runs the script. */
  readonly command: string;
  /** The programs that the script needs in addition to the language's standard library, with their first versions. */
  readonly needs: string;
  /** @param signer the text of the language's signer */
  write(request: ScriptRequest, signer: string): string;
}

/** Returns the first lines of a script, which describe it. */
export function introduction(
  { method, target }: ScriptRequest,
  { command, fileName }: Pick<ScriptLanguage, 'command' | 'fileName'>,
): readonly string[] {
  return [
    `${method} ${target.split('?')[0]}, signed each time this runs. Save it as ${fileName}.`,
    `FIELDROSTER_APP_ID and FIELDROSTER_APP_SECRET must be set. Then run: ${command}`,
  ];
}
