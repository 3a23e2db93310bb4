import type { PreparedRequest } from './prepare-request.ts';

/** Returns the request as a command for a POSIX shell. It works until its timestamp expires. */
export function curlCommand({ method, url, headers, body }: PreparedRequest): string {
  const lines = [
    `curl --request ${method} ${quote(url)}`,
    ...Object.entries(headers).map(([name, value]) => `--header ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quote(body)}`]),
  ];
  return lines.join(' \\\n  ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
