import { ParleyError, type Model, type ModelProvider } from '@parley/core'
import { createDemoModel } from '@parley/demo-model'

export interface ModelChoice {
  readonly model?: string | undefined
  readonly baseUrl?: string | undefined
}

const DEFAULT_MODEL = 'gpt-5-mini'
const WORD_DELAY_MS = 15

/** Vendors with their own API, by the prefix of a model name. Their packages are imported only when used. */
const VENDORS: Readonly<Record<string, () => Promise<ModelProvider>>> = {
  anthropic: async () => (await import('@parley/anthropic')).createAnthropic(),
  google: async () => (await import('@parley/google')).createGoogle(),
  ollama: async () => (await import('@parley/ollama')).createOllama(),
}

/**
 * Chooses the model. Without a key and a server it is the demo model. The prefixes `anthropic/`, `google/` and
 * `ollama/` select a vendor's own API. An OpenAI-compatible server gets the id unchanged, even with such a prefix.
 * @throws ParleyError `model-unknown` if a model is named and no server is known for it, `config-invalid` if the key of
 * a vendor is missing.
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
  // Each service gets only its own key, so that a key never reaches another company.
  const { keyVariable = 'OPENAI_API_KEY' } = quirkProfiles[url === undefined ? 'openai' : profileOfUrl(url)]
  const apiKey = environment[keyVariable]
  const provider = createOpenAI({ ...(url === undefined ? {} : { baseUrl: url }), ...(apiKey ? { apiKey } : {}) })
  return provider.model(model ?? defaultModel ?? DEFAULT_MODEL)
}
