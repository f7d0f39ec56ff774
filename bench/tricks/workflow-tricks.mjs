// Tricks that save time in each step or branch of a workflow.
const run = file => `packages/workflow/src/run/${file}.ts`

export const workflowTricks = [
  {
    name: 'sibling-signal',
    file: run('siblings'),
    saves: 'a joined AbortSignal for each concurrent call',
    metric: 'branch-cpu',
    undo: [
      { from: 'if (this.#joined?.given !== given) {', to: '{' },
      { from: 'return this.#joined.signal', to: 'return this.#joined!.signal' },
    ],
  },
  {
    name: 'running-steps',
    file: run('siblings'),
    saves: 'a listener on an AbortSignal for each concurrent call that runs',
    metric: 'branch-cpu',
    undo: [
      {
        from: 'return new Promise((resolve, reject) => {',
        to: 'return untilOverdue(working, signal, this.#clock)\n    return new Promise((resolve, reject) => {',
      },
    ],
  },
  {
    name: 'patched-call',
    file: 'packages/engine/src/journal/patch-call.ts',
    saves: 'a call of a function for each call of an answer in each entry about one of them',
    metric: 'branch-cpu',
    undo: [
      {
        from: 'const index = calls.findIndex(({ call }) => call.callId === callId)',
        to: 'return calls.map(state => (state.call.callId === callId ? change(state) : state))\n  const index = 0',
      },
    ],
  },
]
