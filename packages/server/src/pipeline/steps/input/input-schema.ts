import type { TSchema } from 'typebox';

/** Reads one value that was sent, or throws 1001 naming it by `name`. */
export type FieldReader = (value: unknown, name: string) => unknown;

/** The JSON Schema keywords that the contract's inputs use. */
export interface InputSchema {
  readonly type: 'string' | 'integer' | 'boolean' | 'array' | 'object';
  readonly format?: string;
  readonly enum?: readonly (number | string)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** The pattern in words, for the caller. */
  readonly patternMeaning?: string;
  readonly items?: TSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** True when the handler reports an entry that breaks a rule, without refusing the others. */
  readonly checkedOneByOne?: boolean;
}
