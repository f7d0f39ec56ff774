import { checkOptions, type OptionKinds, type Model, type ModelInfo, type ModelRequest } from '@parley/core'
import type { AnswerContext, AnswerDecoder } from '../decode/answer-decoder.ts'
import type { ProviderConnection } from './connect-provider.ts'

export interface HttpModelOptions<TInfo extends ModelInfo = ModelInfo> {
  readonly id: string
  /** Facts about the model. @default those of the connection */
  readonly info?: TInfo | undefined
  /** Path, added to the base URL. */
  readonly path: string
  /** How the server frames a streamed answer: server-sent events or one JSON document on each line. @default 'sse' */
  readonly framing?: 'sse' | 'ndjson' | undefined
  /** Writes the request body as JSON text. It may keep messages, but not their list. What it throws fails the stream. */
  readonly encode: (request: ModelRequest) => string
  /** Creates the decoder of one attempt. */
  readonly createDecoder: (context: AnswerContext, request: ModelRequest) => AnswerDecoder
}

const OPTIONS: OptionKinds<HttpModelOptions> = {
  id: 'string!',
  info: 'object',
  path: 'string!',
  framing: ['sse', 'ndjson'],
  encode: 'function!',
  createDecoder: 'function!',
}

/** Creates a model whose answers are the responses to one POST request each. */
export function createHttpModel<TInfo extends ModelInfo>(
  { name, http, wire, infoOf }: ProviderConnection<TInfo>,
  options: HttpModelOptions<TInfo>,
): Model {
  checkOptions('createHttpModel', options, OPTIONS)
  const { id, info = infoOf(id), path, framing = 'sse', encode, createDecoder } = options
  return {
    provider: name,
    id,
    info,
    // The request is written from the messages when it is sent.
    borrowsMessages: true,
    stream: (request, { signal, retry }) =>
      http.stream({
        path,
        model: id,
        format: wire === 'json' ? 'json' : framing,
        body: () => encode(request),
        createDecoder: context => createDecoder(context, request),
        signal,
        retry,
      }),
  }
}
