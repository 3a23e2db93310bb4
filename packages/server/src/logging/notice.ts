/** Receives what an operator should know. The fields are plain values without secrets. */
export type Notice = (fields: object, message: string) => void;
