import type { ModelProvider } from '@parley/core'
import {
  connectProvider,
  createHttpModel,
  type AnswerContext,
  type AnswerDecoder,
  type ProviderOptions,
} from '@parley/provider-kit'

/** An event of the imaginary service Acme. */
export interface AcmeEvent {
  readonly text?: string
  readonly call?: { readonly name: string; readonly arguments: string }
  readonly usage?: { readonly input: number; readonly output: number }
  readonly done?: boolean
}

/** A provider for the imaginary service Acme. */
export function createAcme(options: ProviderOptions = {}): ModelProvider {
  const { baseUrl } = options
  const connection = connectProvider(options, {
    name: 'acme',
    baseUrl: baseUrl ?? 'https://api.acme.example/v1',
    keyVariables: baseUrl === undefined ? ['ACME_API_KEY'] : [],
    requiresKey: true,
  })
  return {
    name: connection.name,
    model: id =>
      createHttpModel(connection, {
        id,
        path: 'generate',
        encode: ({ messages, tools }) => JSON.stringify({ model: id, messages, tools }),
        createDecoder: context => createAcmeDecoder(context, connection.createCallId),
      }),
  }
}

function createAcmeDecoder({ emit, parse, broken }: AnswerContext, createCallId: () => string): AnswerDecoder {
  let ended = false
  let calls = 0
  const accept = (body: unknown): void => {
    const { text, call, usage, done } = body as AcmeEvent
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
