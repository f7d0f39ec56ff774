import { ParleyError, type Model, type ModelProvider } from '@parley/core'
import { createDemoModel } from '@parley/demo-model'

export interface ModelChoice {
  readonly model?: string | undefined
  readonly baseUrl?: string | undefined
}

const DEFAULT_MODEL = 'gpt-5-mini'
const WORD_DELAY_MS = 15

/** Vendors with an API of their own, by the prefix that names them. Loaded when one is asked for. */
const VENDORS: Readonly<Record<string, () => Promise<ModelProvider>>> = {
  anthropic: async () => (await import('@parley/anthropic')).createAnthropic(),
  google: async () => (await import('@parley/google')).createGoogle(),
  ollama: async () => (await import('@parley/ollama')).createOllama(),
}

/**
 * The model to ask. Without a key or a server it is the demo model; `anthropic/…`, `google/…` and `ollama/…` name a
 * vendor's own API, unless an OpenAI-shaped server is named, which then gets the id as it is.
 * @throws ParleyError `model-unknown` when a model is named and there is no server to ask for it, `config-invalid` for a vendor
 * whose key is missing.
 */
export async function chooseModel(
  { model, baseUrl }: ModelChoice,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Model> {
  const { OPENAI_API_KEY: openaiKey, OPENAI_BASE_URL: defaultUrl, OPENAI_MODEL: defaultModel } = environment
  const url = baseUrl ?? (defaultUrl === '' ? undefined : defaultUrl)
  const [prefix = '', ...rest] = (model ?? '').split('/')
  const vendor = url === undefined && rest.length > 0 ? VENDORS[prefix] : undefined
  if (vendor !== undefined) return (await vendor()).model(rest.join('/'))

  const hasServer = (openaiKey !== undefined && openaiKey !== '') || url !== undefined
  if (model === 'demo' || (model === undefined && !hasServer)) return createDemoModel({ wordDelayMs: WORD_DELAY_MS })
  if (!hasServer) {
    const vendors = Object.keys(VENDORS).map(name => `${name}/<id>`)
    const known = ['demo', ...vendors, 'or any other with OPENAI_API_KEY set or a server named by --base-url']
    throw new ParleyError({ code: 'model-unknown', model: model ?? '', known })
  }
  const { createOpenAI, profileOfUrl, quirkProfiles } = await import('@parley/openai')
  // A service that has a key of its own is not shown another's.
  const { keyVariable = 'OPENAI_API_KEY' } = quirkProfiles[url === undefined ? 'openai' : profileOfUrl(url)]
  const apiKey = environment[keyVariable]
  const provider = createOpenAI({ ...(url === undefined ? {} : { baseUrl: url }), ...(apiKey ? { apiKey } : {}) })
  return provider.model(model ?? defaultModel ?? DEFAULT_MODEL)
}
