import type { OwnResult } from '../../api/call.ts';
import type { PastedRequest } from './explain-request.ts';

type Call = NonNullable<OwnResult<'queryFailedCall'>['call']>;

/** A failed request as recorded, and which parts of it the operator must paste. */
export interface RecordedRequest {
  readonly pasted: PastedRequest;
  readonly lacksBody: boolean;
  /** Whether values of the query that may be secret were not kept. */
  readonly lacksValues: boolean;
}

/** Returns a failed request as far as it is on record: neither its body nor the signature is. */
export function toRecordedRequest({ method, target, strings_to_sign: [lines = []] }: Call): RecordedRequest {
  const lineOf = (name: string) => lines.find((line) => line.name === name)?.text;
  const headers = ['Timestamp', 'Nonce'].flatMap((name) => {
    const value = lineOf(name);
    return value === undefined ? [] : [`${name}: ${value}`];
  });
  return {
    pasted: { method, url: target, headers: headers.join('\n'), body: '', signedString: '' },
    lacksBody: lineOf('Content-MD5') !== undefined,
    lacksValues: target.includes('…'),
  };
}
