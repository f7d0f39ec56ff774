// #region provider
import type { ModelProvider } from '@parley/core'
import {
  connectProvider,
  createHttpModel,
  type AnswerContext,
  type AnswerDecoder,
  type ProviderOptions,
} from '@parley/provider-kit'

function createAcmeDecoder({ emit, parse, broken }: AnswerContext): AnswerDecoder {
  let ended = false
  const accept = (body: unknown): void => {
    const { text, done } = body as { text?: string; done?: boolean }
    if (text !== undefined) emit({ type: 'text.delta', text })
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
      emit({ type: 'finish', reason: 'stop' })
    },
  }
}

export function createAcme(options: ProviderOptions = {}): ModelProvider {
  const { baseUrl } = options
  const connection = connectProvider(options, {
    name: 'acme',
    baseUrl: baseUrl ?? 'https://api.acme.example/v1',
    // The key of the environment must not reach another server.
    keyVariables: baseUrl === undefined ? ['ACME_API_KEY'] : [],
    requiresKey: true,
  })
  return {
    name: connection.name,
    model: id =>
      createHttpModel(connection, {
        id,
        path: 'generate',
        encode: ({ messages }) => JSON.stringify({ model: id, messages }),
        createDecoder: createAcmeDecoder,
      }),
  }
}
// #endregion

const recorded = 'data: {"text":"Hello."}\n\ndata: {"done":true}\n\n'
const acme = createAcme({ apiKey: 'key-of-acme', fetch: async () => new Response(recorded) })
const request = { system: [], messages: [], tools: [], settings: {} }
for await (const event of acme.model('acme-1').stream(request, {})) console.log(event.type)
// → text.delta
// → finish
