import { createEventLog } from '@parley/agent-api'
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
import { encodeLine, encodeSseFrame } from '@parley/encoders/kit'
import { priorEntries } from '../runs/prior-entries.ts'
import { describe } from '../runs/serve-protocol.ts'
import { ServedResponse } from '../state/served-response.ts'
import type { ServerContext } from '../state/server-context.ts'
import { cutMessage, STREAM_ENDED } from '../streams/cut-message.ts'
import { openAiTraits } from './open-ai-traits.ts'

export type ServedOpenAiResponse = ServedResponse<ResponsesEvent, ResponseObject>

export interface OpenAiResponseOptions {
  /** @default made from the id of the run and `fromSeq` */
  readonly id?: string | undefined
  readonly scope: string
  readonly runId: string
  /** Number of the entry that starts the response. */
  readonly fromSeq: number
  /** Entries that earlier responses of the run contain, of the kinds that encoders read. @default none */
  readonly prior?: readonly Entry[] | undefined
  readonly model: string
  /** Fields of the request that the response repeats. */
  readonly given: GivenFields | undefined
  /** Whether an earlier stream of the response exists. @default false */
  readonly resumed?: boolean | undefined
  /** Returns the events from `fromSeq`. */
  readonly watch: () => AsyncIterable<RunEvent>
}

/** Key in the journal's metadata for the fields of a request that the response repeats. */
const GIVEN_FIELDS = 'openAiResponse'

/** Starts to write a response of the OpenAI Responses API and adds it to the cache. */
export function serveOpenAiResponse(server: ServerContext, options: OpenAiResponseOptions): ServedOpenAiResponse {
  const response = openAiResponseOf(server, options)
  server.openAiResponses.add(response)
  return response
}

/** Starts to write a response without adding it to the cache. */
export function openAiResponseOf(server: ServerContext, options: OpenAiResponseOptions): ServedOpenAiResponse {
  const { scope, runId, fromSeq, prior, model, given, watch, resumed } = options
  const { id = openAiIdOf(runId, fromSeq) } = options
  return new ServedResponse<ResponsesEvent, ResponseObject>({
    id,
    scope,
    runId,
    watch,
    resumed,
    maxReplayChars: server.limits.maxReplayChars,
    protocol: {
      createLog: logOptions =>
        createEventLog<ResponsesEvent>({
          ...logOptions,
          encode: event => encodeSseFrame(event, { name: event.type }),
          traits: openAiTraits,
        }),
      createEncoder: () => createResponsesEncoder({ model, describe, responseId: id, given, prior }),
      responseOf: event => event.response,
      cutFrame: last => cutFrame(id, last),
    },
  })
}

/** The number is the last one that the reader received, so that it is right for `starting_after`. */
function cutFrame(id: string, sequence_number: number): string {
  const message = cutMessage(`/v1/responses/${id}?stream=true&starting_after=${sequence_number}`)
  const event = { type: 'error', sequence_number, code: STREAM_ENDED, message, param: null }
  return `event: error\ndata: ${encodeLine(event)}\n\n`
}

/** Journal metadata from which `givenFieldsOf` reads the fields again. */
export function givenMetadata(given: GivenFields): Readonly<Record<string, Json>> {
  return { [GIVEN_FIELDS]: given as Record<string, Json> }
}

/** Reads the repeated fields from a run's journal. `undefined` if the run did not start with this API. */
export function givenFieldsOf([first]: readonly Entry[]): GivenFields | undefined {
  return first?.type === 'run.started' ? readGivenFields(first.metadata?.[GIVEN_FIELDS]) : undefined
}

/** Creates an encoder for the response that starts at entry `fromSeq`. `entries` are all entries of its run. */
export function openAiEncoderFor(
  { agent: model }: RunRecord,
  { id, fromSeq, entries }: { readonly id: string; readonly fromSeq: number; readonly entries: readonly Entry[] },
): ResponsesEncoder {
  const prior = priorEntries(entries, fromSeq)
  return createResponsesEncoder({ model, describe, responseId: id, given: givenFieldsOf(entries), prior })
}

/** The id of a response that the client did not choose. */
export function openAiIdOf(runId: string, fromSeq: number): string {
  return fromSeq === 1 ? responseIdOf(runId) : `${responseIdOf(runId)}_${fromSeq}`
}
