import { InvalidArgumentError } from 'commander';

export function parseMethod(text: string): string {
  if (!/^[A-Za-z]+$/.test(text)) throw new InvalidArgumentError('It must be an HTTP method such as GET.');
  return text.toUpperCase();
}

/** Accepts visible ASCII without `#`, because a fragment is never sent. */
export function parsePath(text: string): string {
  if (!/^\/[!"$-~]*$/.test(text)) {
    throw new InvalidArgumentError(
      'It must begin with / and be percent-encoded, as in /user?username=ada%20b.',
    );
  }
  return text;
}
