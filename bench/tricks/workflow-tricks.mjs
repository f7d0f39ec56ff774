// Tricks that save time in each step or branch of a workflow.
const run = file => `packages/workflow/src/run/${file}.ts`

export const workflowTricks = [
  {
    name: 'sibling-signal',
    file: run('siblings'),
    saves: 'a joined AbortSignal for each concurrent call',
    metric: 'branch-cpu',
    undo: [
      { from: 'if (this.#joined?.given !== signal) {', to: '{' },
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
]
