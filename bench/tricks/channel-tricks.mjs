// Tricks of the channel that each reader of a run has.
import { readFileSync } from 'node:fs'
import path from 'node:path'

const file = 'packages/core/src/async/channel.ts'
const closureChannel = readFileSync(path.join(import.meta.dirname, 'closure-channel.txt'), 'utf8')

export const channelTricks = [
  {
    name: 'channel-class',
    file,
    saves: 'a function object for each method of each channel',
    metric: 'waiting-bytes',
    undo: [
      { from: 'return new ReaderChannel(options)', to: `return createClosureChannel(options)\n${closureChannel}` },
    ],
  },
  {
    name: 'channel-pulls',
    file,
    saves:
      'a list, and the 17 slots that V8 reserves at its first push, for the one pull that most readers have pending',
    metric: 'waiting-bytes',
    undo: [
      {
        from: '#waiting: PromiseWithResolvers<Pulled<TItem>> | undefined',
        to: '#pulls: PromiseWithResolvers<Pulled<TItem>>[] = []',
      },
      { from: '#morePulls: PromiseWithResolvers<Pulled<TItem>>[] | undefined', to: '' },
      {
        from: 'if (this.#waiting === undefined) this.#waiting = puller\n    else (this.#morePulls ??= []).push(puller)',
        to: 'this.#pulls.push(puller)',
      },
      {
        from: 'const puller = this.#waiting\n    this.#waiting = this.#morePulls?.shift()\n    return puller',
        to: 'return this.#pulls.shift()',
      },
    ],
  },
  {
    name: 'channel-head',
    file,
    saves: 'moving all later items for each item that a late reader takes',
    metric: 'backlog-cpu',
    undo: [
      {
        from: `const value = this.#items[this.#head++] as TItem
      if (this.#head === this.#items.length) this.#clear()`,
        to: 'const value = this.#items.shift() as TItem',
      },
    ],
  },
]
