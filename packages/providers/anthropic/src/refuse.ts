import { ParleyError } from '@parley/core'

/** Says no to what a model cannot do, before anything is sent. */
export type Refuse = (detail: string) => ParleyError

/** Makes the `model-unsupported` errors of one model. */
export function createRefuse(provider: string, model: string): Refuse {
  return detail => new ParleyError({ code: 'model-unsupported', provider, model, detail })
}
