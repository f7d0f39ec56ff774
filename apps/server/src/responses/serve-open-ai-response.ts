import type { Entry, Json, RunEvent, RunRecord } from '@parley/core'
import {
  createResponsesEncoder,
  readGivenFields,
  responseIdOf,
  type GivenFields,
  type ResponseObject,
  type ResponsesEncoder,
  type ResponsesEvent,
} from '@parley/encoders/openai-responses'
import { describe } from '../runs/serve-protocol.ts'
import { ServedResponse } from '../state/served-response.ts'
import type { ServerContext } from '../state/server-context.ts'
import { sseFrame } from '../streams/sse-frame.ts'

export type ServedOpenAiResponse = ServedResponse<ResponsesEvent, ResponseObject>

export interface OpenAiResponseOptions {
  readonly scope: string
  readonly runId: string
  /** Number of the entry that starts the response. */
  readonly fromSeq: number
  readonly model: string
  /** Fields of the request that the response repeats. */
  readonly given: GivenFields
  /** Whether an earlier process started the response. @default false */
  readonly resumed?: boolean | undefined
  /** Returns the events from `fromSeq`. Called once for each reader. */
  readonly watch: () => AsyncIterable<RunEvent>
}

/** Key in the journal's metadata for the fields of a request that the response repeats. */
const GIVEN_FIELDS = 'openAiResponse'

/** Starts to write a response of the OpenAI Responses API and adds it to the cache. */
export function serveOpenAiResponse(server: ServerContext, options: OpenAiResponseOptions): ServedOpenAiResponse {
  const { scope, runId, fromSeq, model, given, watch, resumed } = options
  const id = openAiIdOf(runId, fromSeq)
  const response = new ServedResponse<ResponsesEvent, ResponseObject>({
    id,
    scope,
    runId,
    watch,
    resumed,
    maxReplayChars: server.limits.maxReplayChars,
    createEncoder: () => createResponsesEncoder({ model, describe, responseId: id, given }),
    encode: event => sseFrame(event, event.type),
    responseOf: event => event.response,
  })
  server.openAiResponses.add(response)
  return response
}

/** Journal metadata from which `givenFieldsOf` reads the fields again. */
export function givenMetadata(given: GivenFields): Readonly<Record<string, Json>> {
  return { [GIVEN_FIELDS]: given as Record<string, Json> }
}

/** Reads the repeated fields from a run's journal. `undefined` if the run did not start with this API. */
export function givenFieldsOf([first]: readonly Entry[]): GivenFields | undefined {
  return first?.type === 'run.started' ? readGivenFields(first.metadata?.[GIVEN_FIELDS]) : undefined
}

/** Creates an encoder for a response that exists. `entries` are all entries of its run. */
export function openAiEncoderFor(
  { agent: model }: RunRecord,
  { id, entries }: { readonly id: string; readonly entries: readonly Entry[] },
): ResponsesEncoder {
  return createResponsesEncoder({ model, describe, responseId: id, given: givenFieldsOf(entries) })
}

function openAiIdOf(runId: string, fromSeq: number): string {
  return fromSeq === 1 ? responseIdOf(runId) : `${responseIdOf(runId)}_${fromSeq}`
}
