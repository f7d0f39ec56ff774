import { setImmediate as nextTurn } from 'node:timers/promises'
import { ZERO_USAGE, type Model } from '@parley/core'

/** A model whose answer has `count` deltas of `size` characters. It yields them as fast as they are read. */
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
