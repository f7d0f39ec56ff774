import { ParleyError } from '@parley/core'

/** Creates the `model-unsupported` error for a setting that a model or server does not support. */
export type Refuse = (detail: string) => ParleyError

/** Creates a {@link Refuse} whose errors name a provider and, if given, a model. */
export function createRefuse({
  provider,
  model,
}: {
  readonly provider: string
  readonly model?: string | undefined
}): Refuse {
  const fields = model === undefined ? { provider } : { provider, model }
  return detail => new ParleyError({ code: 'model-unsupported', ...fields, detail })
}
