import type { ModelProvider } from '@parley/core'
import {
  connectProvider,
  createHttpModel,
  type AnswerContext,
  type AnswerDecoder,
  type ProviderOptions,
} from '@parley/provider-kit'

/** An event of the service OwnPart. */
export interface OwnPartEvent {
  readonly text?: string
  readonly call?: { readonly name: string; readonly arguments: string }
  readonly usage?: { readonly input: number; readonly output: number }
  readonly done?: boolean
}

/** A provider for the service OwnPart. */
export function createOwnPart(options: ProviderOptions = {}): ModelProvider {
  const { baseUrl } = options
  const connection = connectProvider(options, {
    name: 'own-part',
    baseUrl: baseUrl ?? 'https://api.own-part.example/v1',
    keyVariables: baseUrl === undefined ? ['OWN_PART_API_KEY'] : [],
    requiresKey: true,
  })
  return {
    name: connection.name,
    model: id =>
      createHttpModel(connection, {
        id,
        path: 'generate',
        encode: ({ messages, tools }) => JSON.stringify({ model: id, messages, tools }),
        createDecoder: context => createOwnPartDecoder(context, connection.createCallId),
      }),
  }
}

function createOwnPartDecoder({ emit, parse, broken }: AnswerContext, createCallId: () => string): AnswerDecoder {
  let ended = false
  let calls = 0
  const accept = (body: unknown): void => {
    const { text, call, usage, done } = body as OwnPartEvent
    if (text !== undefined) emit({ type: 'text.delta', text })
    if (call !== undefined) {
      calls += 1
      emit({ type: 'tool-call', callId: createCallId(), ...call })
    }
    if (usage !== undefined) emit({ type: 'usage', usage: { reasoning: 0, cacheRead: 0, cacheWrite: 0, ...usage } })
    ended ||= done === true
  }
  return {
    event(data) {
      accept(parse(data))
      return ended ? 'complete' : 'open'
    },
    document: accept,
    end() {
      if (!ended) throw broken('The stream ended before the answer did.')
      emit({ type: 'finish', reason: calls > 0 ? 'tool-calls' : 'stop' })
    },
  }
}
