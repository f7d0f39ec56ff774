// Tricks that keep a waiting run small. A process may hold thousands of them.
const engine = file => `packages/engine/src/${file}.ts`

export const memoryTricks = [
  {
    name: 'listener-list',
    file: engine('run-context/stopper'),
    saves: 'the 17 slots that V8 reserves at the first push to an empty array',
    metric: 'waiting-bytes',
    undo: [
      { from: 'else if (this.#listeners.length === 0) this.#listeners = [listener]\n    else this', to: 'else this' },
    ],
  },
  {
    name: 'answer-parts',
    file: engine('run-context/model-stream/answer-builder'),
    saves: 'the 17 slots that V8 reserves at the first push to an empty array',
    metric: 'waiting-bytes',
    undo: [{ from: 'if (this.#parts.length === 0) this.#parts = [part]\n    else this', to: 'this' }],
  },
  {
    name: 'feed-readers',
    file: engine('run-context/feed/run-feed'),
    saves: 'the slots that V8 reserves for a list made by a spread',
    metric: 'waiting-bytes',
    undo: [{ from: 'this.#readers.concat([channel])', to: '[...this.#readers, channel]' }],
  },
  {
    name: 'feed-listeners',
    file: engine('run-context/feed/run-feed'),
    saves: 'the slots that V8 reserves for a list made by a spread',
    metric: 'listened-bytes',
    undo: [{ from: 'this.listeners.concat([listener])', to: '[...this.listeners, listener]' }],
  },
  {
    name: 'run-starts',
    file: engine('journal/evolve'),
    saves: 'the slots that V8 reserves for a list made by a spread',
    metric: 'waiting-bytes',
    undo: [{ from: 'before.concat([next.transcript.length])', to: '[...before, next.transcript.length]' }],
  },
  {
    name: 'approval-sets',
    file: engine('run-context/run-approvals'),
    saves: 'two empty sets in runs that are not suspended for approval',
    metric: 'waiting-bytes',
    undo: [
      {
        from: '#listeners: Set<(approvalId: string) => void> | undefined',
        to: '#listeners = new Set<(approvalId: string) => void>()',
      },
      { from: '#asked: Set<string> | undefined', to: '#asked = new Set<string>()' },
    ],
  },
  {
    name: 'children-map',
    file: engine('steps/delegation/run-delegations'),
    saves: 'an empty map in runs without child runs',
    metric: 'waiting-bytes',
    undo: [{ from: 'running: Map<string, SpendingRun> | undefined', to: 'running = new Map<string, SpendingRun>()' }],
  },
  {
    name: 'opening',
    file: engine('loop/run-driver'),
    saves: 'a promise and its two functions in runs that receive no early command',
    metric: 'waiting-bytes',
    undo: [
      {
        from: '#opening: PromiseWithResolvers<void> | undefined',
        to: '#opening: PromiseWithResolvers<void> | undefined = Promise.withResolvers()',
      },
    ],
  },
  {
    name: 'shared-sink',
    file: engine('runtime/runtime-sink'),
    saves: 'a sink with two functions for each run of a runtime without a bus',
    metric: 'waiting-bytes',
    undo: [
      {
        from: 'return this.#plain',
        to: 'return { streams: false, wants: () => false, publish: event => this.#watch(event) }',
      },
    ],
  },
  {
    name: 'flat-id',
    file: 'packages/core/src/create-id.ts',
    saves: 'the tree of substrings that V8 keeps for a concatenated string',
    metric: 'waiting-bytes',
    undo: [
      {
        from: 'return String.fromCharCode(...codes)',
        to: `const part = (from: number, to: number): string =>
    codes.slice(from, to).map(code => String.fromCharCode(code)).join('')
  return \`\${part(0, 8)}-\${part(9, 13)}-\${part(14, 18)}-\${part(19, 23)}-\${part(24, 36)}\``,
      },
    ],
  },
  {
    name: 'turnover-map',
    file: 'packages/core/src/turnover-map.ts',
    saves: 'values that V8 keeps in tables which a full map has left',
    metric: 'removed-bytes',
    undo: [{ from: '    slot.value = undefined\n', to: '' }],
  },
]
