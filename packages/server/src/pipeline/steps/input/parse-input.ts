import { isTime, overlooksEmptyParameter, refusesUnknownParameters } from '@fieldroster/contract';
import type { QueryParameter } from '@fieldroster/signing';
import type { TObject, TSchema } from 'typebox';
import { notMilliseconds } from '../../../directory/not-milliseconds.ts';
import { quoteVisibly } from '../../../directory/quote-visibly.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { readDate } from '../../../time/read-date.ts';
import { type Call, noBody, type ReceivedBody } from '../../call.ts';
import { unsetIdDropper, withoutUnsetId } from './drop-unset-id.ts';
import type { FieldReader } from './input-schema.ts';
import type { OperationInput } from './operation-input.ts';
import { bodyValuesMax, parsedAtOnceMax, parseLargeBody, parseSmallBody } from './parse-body.ts';
import { type FieldsReader, fieldReader, fieldReaderInSlices, fieldsReader } from './read-field.ts';
import { escapedAmpersandRefuser } from './refuse-escaped-ampersand.ts';
import { joinedValueRefuser } from './refuse-joined-values.ts';
import { misplacedFieldRefuser, misplacedValueRefuser } from './refuse-misplaced-values.ts';
import { requireObject } from './require-object.ts';
import { invalid, quoteShortly, quotesAdvice, unquoted } from './wrong-value.ts';

type Fields = Record<string, unknown>;

/** The headers that say how a body is written. */
type BodyHeaders = Pick<Call, 'contentType' | 'contentEncoding'>;

/** Reads an operation's parameters and body fields, a large body in slices of time. Throws 1001, 1002 or 1003. */
export type InputParser = (
  headers: BodyHeaders,
  parameters: readonly QueryParameter[],
  received?: ReceivedBody,
) => Fields | Promise<Fields>;

/**
 * Makes the parser of an operation from its schemas.
 *
 * @param emptyIsAbsent whether an optional parameter counts as absent when its value is empty
 */
export function inputParser(
  operation: OperationInput,
  emptyIsAbsent = (name: string) => overlooksEmptyParameter(operation, name),
): InputParser {
  const readQuery = fieldsReader(operation.query, queryReader);
  const required = new Set(operation.query?.required);
  const { body } = operation;
  const readFields = withoutUnsetId(body, fieldsReader(body, fieldReader));
  const readFieldsInSlices = withoutUnsetId(body, fieldsReader(body, fieldReaderInSlices));
  const valuesMax = bodyValuesMax(operation);
  const requireKnown = refusesUnknownParameters(operation)
    ? unknownParameterRefuser(Object.keys(operation.query?.properties ?? {}))
    : () => {};
  const refuseJoinedValues = joinedValueRefuser(operation);
  const refuseMisplaced = misplacedValueRefuser(operation);
  const refuseMisplacedFields = misplacedFieldRefuser(operation);
  const dropUnsetId = unsetIdDropper(operation.query);
  const refuseEscapedAmpersand = escapedAmpersandRefuser(operation);
  return (headers, parameters, received = noBody) => {
    refuseEscapedAmpersand(parameters);
    requireKnown(parameters);
    refuseJoinedValues(parameters);
    if (body === undefined) refuseMisplaced(parameters, received.bytes);
    const query = dropUnsetId(
      readQuery(
        (name) => parameterOf(parameters, name, required.has(name), emptyIsAbsent),
        '',
        () => parameters.map(({ name }) => name),
      ),
      parameters.find(({ name }) => name === 'username')?.value,
    );
    if (body === undefined) return query;
    requireJson(headers);
    if (received.bytes.length > parsedAtOnceMax) {
      return readInSlices(parseLargeBody(received, valuesMax), body, readFieldsInSlices).then((fields) => ({
        ...query,
        ...fields,
      }));
    }
    if (received.bytes.length === 0) refuseMisplacedFields(parameters, undefined);
    const given = requireObject(parseSmallBody(received.bytes), body);
    refuseMisplacedFields(parameters, given);
    return { ...query, ...readFrom(given, readFields) };
  };
}

function readFrom(body: Fields, read: FieldsReader): Fields {
  return read(
    (name) => (Object.hasOwn(body, name) ? body[name] : undefined),
    '',
    () => Object.keys(body),
  );
}

async function readInSlices(parsed: Promise<unknown>, schema: TObject, read: FieldsReader): Promise<Fields> {
  const fields = readFrom(requireObject(await parsed, schema), read);
  for (const [name, value] of Object.entries(fields)) fields[name] = await value;
  return fields;
}

const nameCharactersShown = 50;

/** Makes the check that throws 1001 for a parameter that is not in the list. */
function unknownParameterRefuser(names: readonly string[]): (parameters: readonly QueryParameter[]) => void {
  const known = new Set(names);
  const accepted = names.length === 0 ? 'takes none' : `knows ${names.join(', ')}`;
  return (parameters) => {
    const unknown = parameters.find(({ name }) => !known.has(name));
    if (unknown === undefined) return;
    // Without a value, it may be the rest of a value that has an unencoded "&".
    const shown =
      unknown.value === ''
        ? 'a query parameter without a value'
        : `the query parameter ${quoteVisibly(unknown.name.slice(0, nameCharactersShown))}`;
    throw new ApiError(1001, `${shown} is not known; this operation ${accepted}`);
  };
}

const integerText = /^[+-]?\d+$/;

/** Makes the reader of a parameter, which converts its text to the type of the schema. */
function queryReader(schema: TSchema): FieldReader {
  const read = fieldReader(schema);
  const { type, format } = schema as { type?: string; format?: string };
  if (type === 'boolean') return readBooleanText;
  if (type !== 'integer') return read;
  return (value, name) => {
    const text = String(value);
    if (!integerText.test(text)) {
      const isOfTime = isTime(schema);
      const dateMs = isOfTime ? readDate(text) : undefined;
      if (dateMs !== undefined) throw notMilliseconds(name, quoteShortly(text), dateMs);
      if (integerText.test(unquoted(text)))
        throw invalid(name, `an integer in decimal digits; it is ${quoteShortly(text)}${quotesAdvice}`);
      if (isOfTime)
        throw invalid(
          name,
          `an integer in decimal digits, in Unix milliseconds; it is ${quoteShortly(text)}`,
        );
      throw new ApiError(1001, { key: 'notInteger', values: { field: name, value: quoteShortly(text) } });
    }
    const exact = BigInt(text);
    const rounded = Number(exact);
    return read(format === 'int64' || !Number.isSafeInteger(rounded) ? exact : rounded, name);
  };
}

function readBooleanText(value: unknown, name: string): boolean {
  if (value === 'true' || value === 'false') return value === 'true';
  throw new ApiError(1001, `${name} must be true or false; it is ${quoteShortly(String(value))}`);
}

/** Returns a parameter's value. No operation reads an empty one. */
function parameterOf(
  parameters: readonly QueryParameter[],
  name: string,
  isRequired: boolean,
  emptyIsAbsent: (name: string) => boolean,
): string | undefined {
  const given = parameters.filter((parameter) => parameter.name === name);
  if (given.length > 1) throw new ApiError(1001, `${name} must be given once, not ${given.length} times`);
  const value = given[0]?.value;
  if (value !== '') return value;
  if (isRequired) throw new ApiError(1001, { key: 'emptyValue', values: { field: name } });
  if (emptyIsAbsent(name)) return undefined;
  throw new ApiError(1001, `${name} must not be empty; leave it out, or give it a value`);
}

/** Enough for every accepted form with white space; a header may have 16 KiB. */
const contentTypeCharactersMax = 256;

/** A client library may have set the header without its caller's knowledge. */
const contentTypeCharactersShown = 60;

const utf8Parameter = /^charset\s*=\s*"?utf-?8"?$/i;

function isJsonContentType(contentType: string): boolean {
  if (contentType.length > contentTypeCharactersMax) return false;
  const [type, ...parameters] = contentType.split(';').map((part) => part.trim());
  const [parameter, ...more] = parameters.filter((part) => part !== '');
  if (type?.toLowerCase() !== 'application/json' || more.length > 0) return false;
  return parameter === undefined || utf8Parameter.test(parameter);
}

/** Throws 1003 unless the body is plain JSON; a body without a content type is read as JSON. */
function requireJson({ contentType, contentEncoding }: BodyHeaders): void {
  if (contentEncoding !== undefined) {
    throw new ApiError(
      1003,
      `Content-Encoding is ${quoteShortly(contentEncoding)}; send the body as it is, without that header`,
    );
  }
  if (contentType !== undefined && !isJsonContentType(contentType)) {
    const shown = quoteVisibly(contentType.slice(0, contentTypeCharactersShown));
    throw new ApiError(1003, `Content-Type is ${shown}; it must be application/json (in UTF-8), or left out`);
  }
}
