import { ParleyError, type Message, type Model } from '@parley/core'
import { createFallbackStream } from './create-fallback-stream.ts'
import { jointModelInfo } from './joint-model-info.ts'

/**
 * Spreads conversations over equivalent models: several keys, regions or servers. New conversations are assigned in turn.
 * Later calls of a conversation (its first message is the same object) go to the same model, because that model's prompt
 * cache contains it. If the model fails, the other models are tried in order, by the rules of {@link fallback}.
 * @throws `config-invalid` if the list of models is empty.
 */
export function spread(models: readonly Model[]): Model {
  if (models.length === 0)
    throw new ParleyError({ code: 'config-invalid', path: 'models', detail: 'must contain at least one model' })
  const homes = new WeakMap<Message, number>()
  let assigned = 0

  function homeOf(first: Message | undefined): number {
    const known = first === undefined ? undefined : homes.get(first)
    if (known !== undefined) return known
    const home = assigned++ % models.length
    if (first !== undefined) homes.set(first, home)
    return home
  }

  return {
    provider: 'spread',
    id: models.map(({ provider, id }) => `${provider}/${id}`).join('|'),
    info: jointModelInfo(models),
    stream(request, options) {
      const home = homeOf(request.messages[0])
      const ring = [...models.slice(home), ...models.slice(0, home)]
      return createFallbackStream({ ...options, models: ring, request })
    },
  }
}
