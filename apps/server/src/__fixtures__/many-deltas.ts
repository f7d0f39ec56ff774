import { ZERO_USAGE, type Model } from '@parley/core'
import { nextTurn } from '../streams/next-turn.ts'

/** A model whose answer is so many pieces of `size` characters, as fast as they can be read one by one. */
export function manyDeltas(count: number, size = 2): Model {
  return {
    provider: 'scripted',
    id: 'many-deltas',
    info: {},
    async *stream(_, { signal }) {
      for (let sent = 0; sent < count; sent++) {
        if (sent % 100 === 0) await nextTurn()
        signal?.throwIfAborted()
        yield { type: 'text.delta', text: 'ab'.repeat(size / 2) }
      }
      yield { type: 'usage', usage: { ...ZERO_USAGE, input: 10, output: count } }
      yield { type: 'finish', reason: 'stop' }
    },
  }
}
