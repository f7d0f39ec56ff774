export type { AnswerContext, AnswerDecoder, AnswerProgress } from './decode/answer-decoder.ts'
export type { BodyFormat } from './decode/create-body-reader.ts'
export {
  connectProvider,
  PROVIDER_OPTIONS,
  toKeyHeader,
  type ProviderConnection,
  type ProviderOptions,
  type ProviderService,
} from './provider/connect-provider.ts'
export { concreteMediaType } from './request/concrete-media-type.ts'
export { createHttpModel, type HttpModelOptions } from './provider/create-http-model.ts'
export { createRefuse, type Refuse } from './request/refuse.ts'
export { createEncodingCache } from './request/create-encoding-cache.ts'
export { createHttp, type Http, type HttpCall, type HttpOptions } from './http/create-http.ts'
export type { LineReader } from './decode/create-line-reader.ts'
export { createNdjsonParser } from './decode/create-ndjson-parser.ts'
export { createSseParser } from './decode/create-sse-parser.ts'
export {
  checkVectors,
  type CheckVectorsOptions,
  type EmbedRequest,
  type Embeddings,
  type Vectors,
} from './provider/embeddings.ts'
export { encodeJson } from './request/encode-json.ts'
export { extraFields } from './request/extra-fields.ts'
export { fallback } from './fallback/fallback.ts'
export type { HttpBodyReader, HttpFetch, HttpRequest, HttpResponse } from './transport/http-fetch.ts'
export { isContextLengthText } from './errors/is-context-length-text.ts'
export { isOwnReply, ownDataOf, type RequestedModel } from './request/is-own-reply.ts'
export { isRetryable } from './retry/is-retryable.ts'
export { listModels, type ListedModel, type ModelList, type ModelListing } from './provider/list-models.ts'
export { mergeFields, type MergeFieldsOptions } from './request/merge-fields.ts'
export { createPlatformFetch } from './transport/create-platform-fetch.ts'
export { planCache, type CacheFacts, type CachePlan } from './request/plan-cache.ts'
export { randomCallId } from './provider/random-call-id.ts'
export { readEnvironment } from './provider/read-environment.ts'
export { countOf, fieldsOf, isFields, listOf, textOf, type Fields } from './decode/read-fields.ts'
export { redact } from './errors/redact.ts'
export { spread } from './fallback/spread.ts'
export type { Timeouts } from './deadlines/timeouts.ts'
export { toJsonObject } from './request/to-json-object.ts'
export { vertexAddress, type VertexPlace } from './provider/vertex-address.ts'
export { withBearer, type Secret } from './transport/with-bearer.ts'
export { withPromptedTools, type PromptedToolsOptions } from './prompted-tools/with-prompted-tools.ts'
