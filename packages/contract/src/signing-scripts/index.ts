/** Scripts that sign and send a request, in each language of `examples/`. */
export type { ScriptLanguage, ScriptRequest } from './script-language.ts';
export { scriptLanguages } from './script-languages.ts';
export { type ScriptLanguageId, signerFiles } from './signer-files.ts';
