import { bashScript } from './bash-script.ts';
import { csharpScript } from './csharp-script.ts';
import { goScript } from './go-script.ts';
import { javaScript } from './java-script.ts';
import { phpScript } from './php-script.ts';
import { pythonScript } from './python-script.ts';
import { rubyScript } from './ruby-script.ts';
import type { ScriptLanguage } from './script-language.ts';

/** The languages of `examples/`, in the order in which the page offers them. */
export const scriptLanguages: readonly ScriptLanguage[] = [
  bashScript,
  pythonScript,
  goScript,
  javaScript,
  phpScript,
  rubyScript,
  csharpScript,
];
