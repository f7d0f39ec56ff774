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
      { from: 'return this.#joined.stop', to: 'return this.#joined!.stop' },
    ],
  },
  {
    name: 'waiting-steps',
    file: run('signal-stop'),
    saves: 'a listener on an AbortSignal for each step that waits for its place',
    metric: 'branch-cpu',
    undo: [
      {
        from: "if (this.#listeners.size === 0) this.signal.addEventListener('abort', this.#onAbort)",
        to: "this.signal.addEventListener('abort', listener)",
      },
      {
        from: "if (this.#listeners.size === 0) this.signal.removeEventListener('abort', this.#onAbort)",
        to: "this.signal.removeEventListener('abort', listener)",
      },
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
