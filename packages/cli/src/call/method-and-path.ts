import { InvalidArgumentError } from 'commander';

export function parseMethod(text: string): string {
  if (!/^[A-Za-z]+$/.test(text)) throw new InvalidArgumentError('It must be an HTTP method such as GET.');
  return text.toUpperCase();
}

/**
 * Accepts visible ASCII without `#`, because a fragment is never sent, and any character beyond ASCII, which it
 * percent-encodes.
 */
export function parsePath(text: string): string {
  if (!/^\/(?:[!"$-~]|[^\p{ASCII}\p{Cc}\p{Cs}\s])*$/u.test(text)) {
    throw new InvalidArgumentError(
      'It must begin with /, without white space and #. Give values that need encoding with -q: -q "username=ada b".',
    );
  }
  return text.replaceAll(/\P{ASCII}+/gu, encodeURIComponent);
}

/** Parses one `-q name=value`, encodes it and adds it to those before. */
export function parseQueryParameter(text: string, before = ''): string {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined || !text.isWellFormed()) {
    throw new InvalidArgumentError('It must be NAME=VALUE, as in username=ada; it is encoded for you.');
  }
  const parameter = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
  return before === '' ? parameter : `${before}&${parameter}`;
}

/** Adds an encoded query to a path, which may already have a query. */
export function addQuery(path: string, query: string | undefined): string {
  if (query === undefined) return path;
  const separator = /[?&]$/.test(path) ? '' : path.includes('?') ? '&' : '?';
  return path + separator + query;
}
