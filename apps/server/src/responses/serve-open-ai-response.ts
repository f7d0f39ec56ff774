import type { Entry, RunEvent, RunRecord } from '@parley/core'
import {
  createResponsesEncoder,
  readGivenFields,
  responseIdOf,
  type GivenFields,
  type ResponseObject,
  type ResponsesEncoder,
  type ResponsesEvent,
} from '@parley/encoders/openai-responses'
import { sseFrame } from '../streams/sse-frame.ts'
import type { ServerContext } from '../state/server-context.ts'
import { describe } from '../runs/serve-protocol.ts'
import { ServedResponse } from '../state/served-response.ts'

export type ServedOpenAiResponse = ServedResponse<ResponsesEvent, ResponseObject>

export interface OpenAiResponseOptions {
  readonly scope: string
  readonly runId: string
  /** Number of the entry the response begins with. */
  readonly fromSeq: number
  readonly model: string
  readonly given: GivenFields
  /** Whether another process began to write it. @default false */
  readonly takenUp?: boolean | undefined
  /** The run's events from there, for each reader anew. */
  readonly watch: () => AsyncIterable<RunEvent>
}

/** Where the journal keeps what a request for a response said that the response gives back. */
export const GIVEN_FIELDS = 'openAiResponse'

/** Begins to write a response of OpenAI's Responses, where its clients find it. */
export function serveOpenAiResponse(server: ServerContext, options: OpenAiResponseOptions): ServedOpenAiResponse {
  const { scope, runId, fromSeq, model, given, watch, takenUp } = options
  const id = openAiIdOf(runId, fromSeq)
  const response = new ServedResponse<ResponsesEvent, ResponseObject>({
    id,
    scope,
    runId,
    watch,
    takenUp,
    maxReplayChars: server.limits.maxReplayChars,
    createEncoder: () => createResponsesEncoder({ model, describe, responseId: id, given }),
    encode: event => sseFrame(event, event.type),
    answerOf: event => event.response,
  })
  server.openAiShelf.put(response)
  return response
}

/** What the journal keeps of the request a run began with; undefined for one that came another way. */
export function givenFieldsOf([first]: readonly Entry[]): GivenFields | undefined {
  return first?.type === 'run.started' ? readGivenFields(first.metadata?.[GIVEN_FIELDS]) : undefined
}

/** Encodes a response again. `entries` are all of its run. */
export function openAiEncoderFor(
  { agent: model }: RunRecord,
  { id, entries }: { readonly id: string; readonly entries: readonly Entry[] },
): ResponsesEncoder {
  return createResponsesEncoder({ model, describe, responseId: id, given: givenFieldsOf(entries) })
}

function openAiIdOf(runId: string, fromSeq: number): string {
  return fromSeq === 1 ? responseIdOf(runId) : `${responseIdOf(runId)}_${fromSeq}`
}
