// Tricks that save time in each run, turn or streamed chunk of the engine.
const engine = file => `packages/engine/src/${file}.ts`

const START_RUN = engine('loop/start-run')
const RUN_TOOLS = engine('steps/tools/run-tools')
const FILTER_INPUT = engine('steps/input/filter-input')

export const engineTricks = [
  {
    name: 'start-sync',
    file: START_RUN,
    saves: 'promises at the start of a run that loads nothing and has no input filters',
    metric: 'run-cpu',
    undo: [
      {
        from: 'function beginRun(run: DrivenRun, request: StartRequest): void |',
        to: 'async function beginRun(run: DrivenRun, request: StartRequest):',
      },
      {
        from: 'function recordStart(run: DrivenRun, request: StartRequest, from: RunBase): void |',
        to: 'async function recordStart(run: DrivenRun, request: StartRequest, from: RunBase):',
      },
      {
        from: 'return filtering instanceof Promise ? filtering.then(takeInput) : takeInput(filtering)',
        to: 'return takeInput(await filtering)',
      },
      { file: FILTER_INPUT, from: 'export function filterInput(', to: 'export async function filterInput(' },
      { file: FILTER_INPUT, from: '): Filtered | Promise<Filtered> {', to: '): Promise<Filtered> {' },
    ],
  },
  {
    name: 'fixed-tools',
    file: engine('steps/model/call-model'),
    saves: 'promises in each turn of an agent without tool sources',
    metric: 'turn-cpu',
    undo: [
      {
        from: `export function callModel(run: RunContext, action: ActionOf<'call-model'>): Promise<void> {`,
        to: `export async function callModel(run: RunContext, action: ActionOf<'call-model'>): Promise<void> {`,
      },
      {
        from: `const renewing = run.tools.renew()
  return renewing === undefined ? call(run, action) : renewing.then(() => call(run, action))`,
        to: 'await run.tools.renew()\n  return call(run, action)',
      },
      {
        file: engine('run-context/run-tools'),
        from: '#take(onFailure: (error: unknown) => void): void | Promise<void> {',
        to: 'async #take(onFailure: (error: unknown) => void): Promise<void> {',
      },
    ],
  },
  {
    name: 'known-fields',
    file: engine('run-context/run-journal'),
    saves: 'time of each entry: V8 copies an object of unknown fields slowly if others are added to it',
    metric: 'turn-cpu',
    undo: [
      {
        from: '{ type, v: ENTRY_VERSION, seq, at: time, runId, sessionId, path, ...(body as object) } as EntryEvent',
        to: '{ ...body, v: ENTRY_VERSION, seq, at: time, runId, sessionId, path } as EntryEvent',
      },
      {
        file: engine('run-context/driven-run'),
        from: '{ type, runId, sessionId, path, seq: this.state.seq, at: time, ...(event as object) } as RunEvent',
        to: '{ ...event, runId, sessionId, path, seq: this.state.seq, at: time } as RunEvent',
      },
    ],
  },
  {
    name: 'kept-run',
    file: engine('runtime/active-runs'),
    saves: 'compiled code: V8 discards it if a garbage collection finds no object that it was compiled for',
    metric: 'collected-cpu',
    undo: [{ from: 'if (this.#kept === undefined && run.isShort) this.#kept = run\n', to: '' }],
  },
  {
    name: 'single-call',
    file: RUN_TOOLS,
    saves: 'batches and Promise.all for an answer with one tool call',
    metric: 'turn-cpu',
    undo: [
      {
        from: `const [only] = open
  return open.length === 1 && only !== undefined ? runCall(run, only) : runBatches(run, open)`,
        to: 'return runBatches(run, open)',
      },
      {
        from: `const [only] = batch
    if (batch.length === 1 && only !== undefined) await runCall(run, only)
    else await Promise`,
        to: 'await Promise',
      },
    ],
  },
  {
    name: 'context-editor',
    file: engine('steps/tools/invoke-handler'),
    saves: 'an object literal with an accessor, which V8 creates slowly',
    metric: 'turn-cpu',
    undo: [
      {
        from: 'contextEditor: createContextEditor(run, tool.name, notes),',
        to: 'get contextEditor() { return createContextEditor(run, tool.name, notes) },',
      },
    ],
  },
  {
    name: 'no-middleware',
    file: engine('run-context/run-middleware'),
    saves: 'composing an empty list of stages for each model call and each tool call',
    metric: 'turn-cpu',
    undo: [
      { from: 'modelStages.length === 0 ? undefined : ', to: '' },
      { from: 'toolStages.length === 0 ? undefined : ', to: '' },
    ],
  },
  {
    name: 'stop-listeners',
    file: engine('run-context/stopper'),
    saves: 'two listeners on an AbortSignal in each turn',
    metric: 'turn-cpu',
    undo: [
      {
        from: 'else if (this.#listeners.length === 0) this.#listeners = [listener]\n    else this.#listeners.push(listener)',
        to: `else {
      const hear = (): void => listener(this.signal.reason)
      this.#hears ??= new Map()
      this.#hears.set(listener, hear)
      this.signal.addEventListener('abort', hear, { once: true })
    }`,
      },
      {
        from: 'const index = this.#listeners.lastIndexOf(listener)\n    if (index >= 0) this.#listeners.splice(index, 1)',
        to: `const hear = this.#hears?.get(listener)
    if (hear === undefined) return
    this.signal.removeEventListener('abort', hear)
    this.#hears?.delete(listener)`,
      },
      {
        from: '#listeners: StopListener[] = []',
        to: '#listeners: StopListener[] = []\n  #hears: Map<StopListener, () => void> | undefined',
      },
    ],
  },
  {
    name: 'read-loop',
    file: engine('run-context/model-stream/read-stream'),
    saves: 'the promises of for await for each event of a model',
    metric: 'unread-chunk-cpu',
    undo: [
      { from: 'export function readStream', to: 'export async function readStream' },
      {
        from: 'return new Promise((resolve, reject) => {',
        to: `const source = events[Symbol.asyncIterator]()
  const stop = Promise.withResolvers<never>()
  const leave = (reason: unknown): void => {
    stop.reject(reason)
    void source.return?.().catch(() => {})
  }
  const readAll = async (): Promise<void> => {
    for await (const event of { [Symbol.asyncIterator]: () => source }) {
      if (stopper.stopped) return
      sink.add(event)
    }
  }
  stopper.onStop(leave)
  try {
    return await Promise.race([readAll(), stop.promise])
  } finally {
    stopper.offStop(leave)
  }
  return new Promise((resolve, reject) => {`,
      },
    ],
  },
  {
    name: 'watched-answer',
    file: engine('steps/model/watched-answer'),
    saves: 'reading each piece of an output that no reader watches',
    metric: 'unread-output-cpu',
    undo: [{ from: 'const { watched } = feed', to: 'const watched = true' }],
  },
  {
    name: 'shared-transcript',
    file: engine('journal/transcript'),
    saves: 'copying the transcript for each message',
    metric: 'long-turn-cpu',
    undo: [{ from: 'if (own !== undefined && own.length === this.length) {', to: 'if (own === null) {' }],
  },
  {
    name: 'results-in-order',
    file: engine('journal/repair-transcript'),
    saves: 'a set of call ids for each answer of a given history',
    metric: 'history-cpu',
    undo: [{ from: '!areInOrder(message, messages, index) && ', to: '' }],
  },
  {
    name: 'one-walk',
    file: engine('journal/repair-transcript'),
    saves: 'reading a given history from memory again to add up its size',
    metric: 'history-cpu',
    undo: [{ from: ': Transcript.from(messages, size)', to: ': Transcript.from(messages)' }],
  },
  {
    name: 'count-calls',
    file: engine('journal/repair-transcript'),
    saves: 'a list of tool calls for each answer of a given history',
    metric: 'history-cpu',
    undo: [{ from: 'const calls = countCalls(message)', to: 'const calls = toolCallsOf(message).length' }],
  },
  {
    name: 'groups-cache',
    file: engine('run-context/view/run-view'),
    saves: 'grouping the transcript again for each question of a context policy about the same state',
    metric: 'compact-cpu',
    undo: [{ from: 'if (this.#groups?.transcript !== transcript || this.#groups.context !== context) {', to: '{' }],
  },
  {
    name: 'ratio-cache',
    file: engine('run-context/view/run-view'),
    saves: 'counting the whole transcript again each time a context policy counts a group',
    metric: 'counting-cpu',
    undo: [{ from: 'if (this.#ratio?.of !== lastInput) {', to: '{' }],
  },
  {
    name: 'placed-group',
    file: engine('run-context/view/group-messages'),
    saves: 'an entry of a WeakMap for each group of messages',
    metric: 'compact-cpu',
    undo: [
      {
        from: 'groups.push(new PlacedGroup(members, 0, undefined))',
        to: 'groups.push({ messages: members, runsAgo: 0 })',
      },
      {
        from: 'groups.push(new PlacedGroup(members, runStarts.length - run, from + index))',
        to: `const group = { messages: members, runsAgo: runStarts.length - run }
        places.set(group, from + index)
        groups.push(group)`,
      },
      { from: 'return PlacedGroup.from(group)', to: 'return places.get(group)' },
      {
        from: '/** Groups each answer',
        to: 'const places = new WeakMap<MessageGroup, number>()\n/** Groups each answer',
      },
    ],
  },
  {
    name: 'count-memo',
    file: engine('agent/context/count-memo'),
    saves: 'counting the tokens of a message again in each turn',
    metric: 'compact-cpu',
    undo: [{ from: 'let tokens = this.#known.get(message)', to: 'let tokens: number | undefined' }],
  },
  {
    name: 'fixed-memo',
    file: engine('agent/context/count-memo'),
    saves: 'the instructions and tools as one text, for each run',
    metric: 'run-cpu',
    undo: [{ from: 'if (known?.system === system) return known.message', to: '' }],
  },
  {
    name: 'count-bound',
    file: engine('run-context/view/run-view'),
    saves: 'counting tokens of a conversation that clearly fits',
    metric: 'long-turn-cpu',
    undo: [{ from: 'if (fresh !== undefined) {', to: 'if (fresh === null) {' }],
  },
  {
    name: 'state-copy',
    file: engine('journal/evolve'),
    saves: 'a slow spread of changes for each entry',
    metric: 'turn-cpu',
    undo: [
      {
        from: '{ ...state }\n  advance(next, entry)',
        to: '{ ...state, ...{ seq: entry.seq, at: entry.at } }\n  advance(next, entry)',
      },
    ],
  },
  {
    name: 'borrowed-messages',
    file: engine('steps/model/assemble-request'),
    saves: 'a copy of the list of messages for each turn',
    metric: 'long-turn-cpu',
    undo: [{ from: 'mayBorrow(run) ? borrowedView(state) : viewOf(state)', to: 'viewOf(state)' }],
  },
  {
    name: 'own-state',
    file: engine('run-context/run-journal'),
    saves: 'a copy of the state for each entry of a run without a store',
    metric: 'turn-cpu',
    undo: [
      {
        from: 'advance(this.#state, event)',
        to: 'this.#state = evolve(this.#state, event)\n      this.#durable = this.#state',
      },
    ],
  },
  {
    name: 'shared-time',
    file: 'packages/engine/src/run-context/run-journal.ts',
    saves: 'a read of the time for each of the entries that one moment has',
    metric: 'turn-cpu',
    undo: [{ from: 'const time = at ?? clock.now()', to: 'const time = clock.now()' }],
  },
  {
    name: 'finished-check',
    file: 'packages/engine/src/steps/tools/run-validated.ts',
    saves: 'a promise for each input whose check is not asynchronous',
    metric: 'turn-cpu',
    undo: [{ from: 'checking instanceof Promise ? await checking : checking', to: 'await checking' }],
  },
  {
    name: 'steady-clock',
    file: 'packages/core/src/async/clock.ts',
    saves: 'a read of the monotonic time for each entry',
    metric: 'turn-cpu',
    undo: [{ from: 'if (step < 0 || step > MOST_STEP_MS)', to: 'if (step < Infinity)' }],
  },
  {
    name: 'random-stock',
    file: 'packages/core/src/create-id.ts',
    saves: 'a call of the random source for each id',
    metric: 'run-cpu',
    undo: [{ from: 'new Uint8Array(1_024)', to: 'new Uint8Array(BYTES)' }],
  },
  {
    name: 'random-device',
    file: 'packages/core/src/create-id.ts',
    saves: 'the load of `crypto` in a new process',
    metric: 'first-id-cpu',
    undo: [{ from: 'fillRandom(stock)', to: 'crypto.getRandomValues(stock)' }],
  },
]
