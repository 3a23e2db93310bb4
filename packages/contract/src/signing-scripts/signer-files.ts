/** The signer of each language that the page offers scripts in, below the folder `examples` of the repository. */
export const signerFiles = {
  bash: 'bash/request_signer.sh',
  python: 'python/request_signer.py',
  go: 'go/signer/signer.go',
  java: 'java/RequestSigner.java',
  php: 'php/RequestSigner.php',
  ruby: 'ruby/request_signer.rb',
  csharp: 'csharp/RequestSigner.cs',
} as const;

export type ScriptLanguageId = keyof typeof signerFiles;
