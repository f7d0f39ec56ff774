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
        from: '#waiting: Resolve<TItem> | undefined',
        to: '#pulls: Resolve<TItem>[] = []',
      },
      { from: '#morePulls: Resolve<TItem>[] | undefined', to: '' },
      {
        from: 'if (this.#waiting === undefined) this.#waiting = resolve\n      else (this.#morePulls ??= []).push(resolve)',
        to: 'this.#pulls.push(resolve)',
      },
      {
        from: 'const puller = this.#waiting\n    this.#waiting = this.#morePulls?.shift()\n    return puller',
        to: 'return this.#pulls.shift()',
      },
    ],
  },
]
