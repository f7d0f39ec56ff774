import {
  checkVectors,
  encodeJson,
  fieldsOf,
  listOf,
  type EmbedRequest,
  type Http,
  type Vectors,
} from '@parley/provider-kit'

export interface EmbedSettings {
  readonly provider: string
  readonly contextWindow: number | undefined
  readonly overflow: 'fail' | 'truncate'
  readonly keepAlive: string | number | undefined
}

/** Embeds texts with `POST /api/embed`. Fields of `options.options` are merged with `num_ctx`. */
export async function embed(
  http: Http,
  { model, input, options: { options: modelOptions, ...extra } = {}, signal }: EmbedRequest,
  { provider, contextWindow, overflow, keepAlive }: EmbedSettings,
): Promise<Vectors> {
  if (input.length === 0) return []
  const set = { ...(contextWindow === undefined ? {} : { num_ctx: contextWindow }), ...fieldsOf(modelOptions) }
  const body = encodeJson({
    ...(Object.keys(set).length === 0 ? {} : { options: set }),
    ...(keepAlive === undefined ? {} : { keep_alive: keepAlive }),
    // By default the server truncates a text that is too long without notice.
    ...(overflow === 'fail' ? { truncate: false } : {}),
    ...extra,
    model,
    input,
  })
  const found = listOf(fieldsOf(await http.json({ path: 'api/embed', body: () => body, signal }))?.['embeddings'])
  return checkVectors(found, { provider, model, count: input.length })
}
