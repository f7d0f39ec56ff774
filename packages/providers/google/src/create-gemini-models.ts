import type { Model, ModelInfo } from '@parley/core'
import { createEncodingCache, type Http } from '@parley/provider-kit'
import { createContentsEncoder } from './request/create-contents-encoder.ts'
import { createGeminiDecoder } from './answer/create-gemini-decoder.ts'
import { encodeGeminiTool, toGeminiRequest } from './request/to-gemini-request.ts'

export interface GeminiConnection {
  readonly provider: string
  readonly wire: 'stream' | 'json'
  readonly http: Http
  readonly createCallId: () => string
  /** Where a model is found. */
  readonly placeOf: (id: string) => string
}

/** Models behind `models/{id}:streamGenerateContent`. */
export function createGeminiModels({
  provider,
  wire,
  http,
  createCallId,
  placeOf,
}: GeminiConnection): (id: string, info: ModelInfo) => Model {
  const encodeTool = createEncodingCache(encodeGeminiTool)
  const method = wire === 'stream' ? 'streamGenerateContent?alt=sse' : 'generateContent'
  return (id, info) => {
    const encodeContents = createContentsEncoder({ provider, model: id })
    const place = placeOf(id)
    return {
      provider,
      id,
      info,
      stream: (request, { signal, retry }) =>
        http.stream({
          path: `${encodeURI(place)}:${method}`,
          model: id,
          format: wire === 'stream' ? 'sse' : 'json',
          body: () => toGeminiRequest(request, { provider, model: id, encodeContents, encodeTool }),
          createDecoder: context => createGeminiDecoder({ context, provider, model: id, createCallId }),
          signal,
          retry,
        }),
    }
  }
}
