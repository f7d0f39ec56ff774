// #region provider
import type { ModelProvider } from '@parley/core'
import { createHttp, type AnswerContext, type AnswerDecoder, type HttpOptions } from '@parley/provider-kit'

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

export function createAcme({ apiKey, fetch }: { apiKey: string; fetch?: HttpOptions['fetch'] }): ModelProvider {
  const headers = { authorization: `Bearer ${apiKey}` }
  const http = createHttp({ provider: 'acme', baseUrl: 'https://api.acme.example/v1', headers, fetch })
  return {
    name: 'acme',
    model: id => ({
      provider: 'acme',
      id,
      info: {},
      stream: ({ messages }, { signal, retry }) =>
        http.stream({
          path: 'generate',
          body: () => JSON.stringify({ model: id, messages }),
          format: 'sse',
          createDecoder: createAcmeDecoder,
          model: id,
          signal,
          retry,
        }),
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
