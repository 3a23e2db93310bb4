/** Whether what a connection has received is a success; nothing while a part of the answer has not come. */
export type AnswerReader = (received: Buffer) => boolean | undefined;

/** An answer in HTTP is a success when its body begins like this. */
export function httpAnswerReader(successPrefix: string): AnswerReader {
  return (received) => {
    const headersEnd = received.indexOf('\r\n\r\n');
    if (headersEnd === -1) return undefined;
    const headers = received.toString('latin1', 0, headersEnd + 2);
    const length = /\r\ncontent-length: *(\d+)/i.exec(headers)?.[1];
    const start = headersEnd + 4;
    if (received.length - start < Number(length)) return undefined;
    return received.toString('utf8', start, start + successPrefix.length) === successPrefix;
  };
}
