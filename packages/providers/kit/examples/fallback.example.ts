import { ParleyError, type Model } from '@parley/core'

const model = (id: string, play: Model['stream']): Model => ({ provider: 'acme', id, info: {}, stream: play })
const large = model('large', async function* () {
  yield { type: 'usage', usage: { input: 1, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 } }
  throw new ParleyError({ code: 'model-overloaded', provider: 'acme', model: 'large', detail: '' })
})
const small = model('small', async function* () {
  yield { type: 'text.delta', text: 'Here I am.' }
  yield { type: 'finish', reason: 'stop' }
})
const request = { system: [], messages: [], tools: [], settings: {} }

// #region fallback
import { fallback } from '@parley/provider-kit'

for await (const event of fallback(large, small).stream(request, {})) {
  if (event.type === 'retry') console.log('next model after', event.error.code)
  if (event.type === 'text.delta') console.log(event.text)
}
// #endregion
// → next model after model-overloaded
// → Here I am.
