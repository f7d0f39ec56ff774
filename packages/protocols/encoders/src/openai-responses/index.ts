export {
  createResponsesEncoder,
  responseIdOf,
  type ResponsesEncoder,
  type ResponsesEncoderOptions,
} from './create-responses-encoder.ts'
export { readGivenFields, type GivenFields } from './given-fields.ts'
export type { OutputItem } from './output-item.ts'
export { parseResponsesRequest, type ResponsesInput } from './parse-responses-request.ts'
export type { ResponseObject, ResponsesEvent } from './response-object.ts'
export { toResponse } from './to-response.ts'
