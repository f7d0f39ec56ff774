import {
  checkVectors,
  encodeJson,
  fieldsOf,
  listOf,
  type EmbedRequest,
  type Http,
  type Vectors,
} from '@parley/provider-kit'
import { modelPath, vertexModelPath } from './model-path.ts'

// Texts that one request may contain.
const MOST_TEXTS = 100

type Options = NonNullable<EmbedRequest['options']>

/** The requests and responses of one API for embeddings. */
interface EmbedApi {
  readonly path: string
  readonly mostTexts: number
  readonly encode: (texts: readonly string[], options: Options) => object
  readonly vectorsOf: (answer: unknown) => readonly unknown[]
}

/** Embeds texts at the Gemini API, with `models/{id}:batchEmbedContents`. */
export function embed(http: Http, provider: string, request: EmbedRequest): Promise<Vectors> {
  const model = modelPath(request.model)
  return embedInBatches(http, request, {
    provider,
    path: `${encodeURI(model)}:batchEmbedContents`,
    mostTexts: MOST_TEXTS,
    encode: (texts, options) => ({
      requests: texts.map(text => ({ ...options, model, content: { parts: [{ text }] } })),
    }),
    vectorsOf: answer => listOf(fieldsOf(answer)?.['embeddings']).map(each => fieldsOf(each)?.['values']),
  })
}

/**
 * Embeds texts at Vertex AI, with `:predict`, or with `:embedContent` for models that support only that. Gemini's own
 * embedding models accept a single text in each request.
 */
export function embedOnVertex(http: Http, provider: string, request: EmbedRequest): Promise<Vectors> {
  const isGemini = request.model.includes('gemini')
  const isContent = isGemini && !request.model.includes('gemini-embedding-001')
  return embedInBatches(http, request, {
    provider,
    path: `${encodeURI(vertexModelPath(request.model))}:${isContent ? 'embedContent' : 'predict'}`,
    mostTexts: isGemini ? 1 : MOST_TEXTS,
    encode: isContent ? toContent : toInstances,
    vectorsOf: isContent
      ? answer => [fieldsOf(fieldsOf(answer)?.['embedding'])?.['values']]
      : answer =>
          listOf(fieldsOf(answer)?.['predictions']).map(each => fieldsOf(fieldsOf(each)?.['embeddings'])?.['values']),
  })
}

async function embedInBatches(
  http: Http,
  { model, input, options = {}, signal }: EmbedRequest,
  { provider, path, mostTexts, encode, vectorsOf }: EmbedApi & { readonly provider: string },
): Promise<Vectors> {
  const vectors: (readonly number[])[] = []
  for (let from = 0; from < input.length; from += mostTexts) {
    const texts = input.slice(from, from + mostTexts)
    const body = encodeJson(encode(texts, options))
    const found = vectorsOf(await http.json({ path, body: () => body, signal }))
    vectors.push(...checkVectors(found, { provider, model, count: texts.length }))
  }
  return vectors
}

function toContent([text = '']: readonly string[], options: Options): object {
  const config = Object.keys(options).length === 0 ? {} : { embedContentConfig: options }
  return { content: { parts: [{ text }], role: 'user' }, ...config }
}

/**
 * Returns the texts with their options. On Vertex AI, `task_type` and `title` belong to each text. All other options
 * are parameters of the request.
 */
function toInstances(texts: readonly string[], { taskType, title, ...parameters }: Options): object {
  const own = { ...(taskType === undefined ? {} : { task_type: taskType }), ...(title === undefined ? {} : { title }) }
  const instances = texts.map(content => ({ content, ...own }))
  return Object.keys(parameters).length === 0 ? { instances } : { instances, parameters }
}
