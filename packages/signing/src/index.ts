export {
  formatAuthorization,
  looksSwapped,
  type ParsedAuthorization,
  parseAuthorization,
} from './authorization-header.ts';
export {
  canonicalResource,
  hasTooManyParameters,
  MalformedQueryError,
  type NameReading,
  type PlusReading,
  parseQuery,
  type QueryFault,
  type QueryParameter,
  type QueryReading,
  queryParametersMax,
  queryReadings,
  sayQueryFault,
  splitTarget,
} from './canonical-resource.ts';
export { timeZoneHours } from './clock-difference.ts';
export {
  type ComparedLine,
  compareLines,
  type Difference,
  firstDifference,
} from './compare-strings.ts';
export { contentMd5, contentMd5Participates } from './content-md5.ts';
export { type ExpectedStrings, expectedStringsToSign, type RequestFault } from './expected-strings.ts';
export {
  type FindMistakeOptions,
  type FindStringMistakeOptions,
  type FoundMistake,
  findMistake,
  findStringMistake,
  type Mistake,
  stringsTriedMax,
} from './find-mistake.ts';
export { lineNames } from './line-names.ts';
export { usualPrefixes } from './mistakes/layout-mistakes.ts';
export { namesOfCause } from './mistakes/names-of-cause.ts';
export { reserialisedBytesMax } from './mistakes/reserialised-bodies.ts';
export { showInvisible } from './show-invisible.ts';
export { type RequestToSign, type SignedRequest, signRequest } from './sign-request.ts';
export {
  type Secret,
  type SecretKey,
  type Signer,
  secretKey,
  signature,
  signaturesEqual,
} from './signature.ts';
export { type StringToSignParts, stringToSign } from './string-to-sign.ts';
export {
  type AcceptedHead,
  type Expired,
  type HeadVerification,
  type MalformedHeader,
  type MalformedQuery,
  type Mismatched,
  type ReceivedHead,
  type ReceivedRequest,
  type UnknownApplication,
  type Verification,
  type Verified,
  type VerifyOptions,
  verifyHead,
  verifyRequest,
} from './verify-request.ts';
