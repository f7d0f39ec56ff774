import { ParleyError, type Message, type Model } from '@parley/core'
import { createFallbackStream } from './create-fallback-stream.ts'
import { jointModelInfo } from './joint-model-info.ts'

/**
 * Spreads conversations over models of equal worth: several keys, regions or servers. New conversations are dealt out in
 * turn; one that goes on (its first message is the same object) stays with its model, whose prompt cache knows it. When
 * that one fails, the others are tried in order, by the rules of {@link fallback}.
 * @throws `config-invalid` when there are no models.
 */
export function spread(models: readonly Model[]): Model {
  if (models.length === 0)
    throw new ParleyError({ code: 'config-invalid', path: 'models', detail: 'Give at least one model.' })
  const homes = new WeakMap<Message, number>()
  let dealt = 0

  function homeOf(first: Message | undefined): number {
    const known = first === undefined ? undefined : homes.get(first)
    if (known !== undefined) return known
    const home = dealt++ % models.length
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
