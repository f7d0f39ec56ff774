import { ParleyError, type Model } from '@parley/core'
import { createDemoModel } from '@parley/demo-model'
import { createOpenAI } from '@parley/openai'

export interface ModelChoice {
  readonly model?: string | undefined
  readonly baseUrl?: string | undefined
}

const DEFAULT_MODEL = 'gpt-5-mini'
const WORD_DELAY_MS = 15

/**
 * The model to ask: the demo model without a key, else one of the OpenAI-shaped server.
 * @throws ParleyError `model-unknown` when a model is named and there is no server to ask for it.
 */
export function chooseModel({ model, baseUrl }: ModelChoice, environment: NodeJS.ProcessEnv = process.env): Model {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: defaultUrl, OPENAI_MODEL: defaultModel } = environment
  const url = baseUrl ?? (defaultUrl === '' ? undefined : defaultUrl)
  const hasServer = (apiKey !== undefined && apiKey !== '') || url !== undefined
  if (model === 'demo' || (model === undefined && !hasServer)) return createDemoModel({ wordDelayMs: WORD_DELAY_MS })
  if (!hasServer) {
    const known = ['demo (or set OPENAI_API_KEY, or name a server with --base-url, for others)']
    throw new ParleyError({ code: 'model-unknown', model: model ?? '', known })
  }
  const provider = createOpenAI({ ...(url === undefined ? {} : { baseUrl: url }), ...(apiKey ? { apiKey } : {}) })
  return provider.model(model ?? defaultModel ?? DEFAULT_MODEL)
}
