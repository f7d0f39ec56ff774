import { ParleyError } from '@parley/core'
import type { PromptyAgent } from '../format/prompty-agent.ts'

/** @throws ParleyError `config-invalid` for a file whose API makes no conversation. */
export function requireModelCalls({ model: { apiType = 'chat' }, path = 'prompt' }: PromptyAgent): void {
  if (apiType === 'chat' || apiType === 'responses') return
  throw new ParleyError({
    code: 'config-invalid',
    path: `${path} model.apiType`,
    detail: `is '${apiType}', which holds no conversation. Use invoke, or chat or responses.`,
  })
}
