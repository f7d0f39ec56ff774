import { createId, userMessage, type RunFacts, type UserMessage } from '@parley/core'
import type { Agent } from '../runtime/agent.ts'
import { loadSession, type RunBase } from '../journal/load-run.ts'
import { openTools } from '../tools/open-tools.ts'
import { RunHandle } from './run-handle.ts'
import { RunScope } from './run-scope.ts'
import { initialState } from '../journal/run-state.ts'
import type { Admission } from '../quota/admission.ts'
import type { RunOptions } from '../runtime/runtime.ts'
import type { RuntimeContext } from '../runtime/runtime-context.ts'

export interface StartRequest {
  readonly agent: string | Agent
  /** Undefined where the base already ends with what is to be answered. */
  readonly input: string | UserMessage | undefined
  readonly options: RunOptions
  /** @default the end of its session */
  readonly base?: RunBase | undefined
  /** The places it needs under quotas. @default none */
  readonly admission?: Admission | undefined
}

const ANEW: RunBase = { relation: 'initial', messages: [] }

/** A new run, driven from its first entry. */
export function startRun(context: RuntimeContext, { agent, input, options, base, admission }: StartRequest): RunHandle {
  const { agents, clock, store, worker, sinkFor } = context
  const prepared = agents.get(agent)
  const { sessionId, scope = 'default', history, metadata, principal } = options
  const now = clock.now()
  const runId = createId(now)
  const facts: RunFacts = {
    runId,
    sessionId: sessionId ?? createId(now),
    agent: prepared.agent.name,
    scope,
    path: [],
    ...(principal === undefined ? {} : { principal }),
  }
  const target = store === undefined ? undefined : { store, worker, fence: 1 }
  const run = new RunScope({ facts, prepared, clock, state: initialState(), target, sink: sinkFor(facts) })
  admission?.join(run)

  function begin(from: RunBase): void | Promise<void> {
    const { relation, at, origin } = from
    if (from !== ANEW) run.goOnFrom(from.messages, from.sessionHead)
    run.journal.record({
      type: 'run.started',
      agent: facts.agent,
      model: prepared.modelName,
      sessionId: facts.sessionId,
      scope,
      relation,
      ...(at === undefined ? {} : { base: at }),
      ...(origin === undefined ? {} : { origin }),
      ...(principal === undefined ? {} : { principal }),
      ...(metadata === undefined ? {} : { metadata: { ...metadata } }),
      ...(history === undefined ? {} : { history: [...history] }),
    })
    if (input !== undefined) {
      const message = typeof input === 'string' ? userMessage(input) : input
      run.journal.record({ type: 'message.appended', source: 'input', message })
    }
    return openTools(run)
  }
  function open(): void | Promise<void> {
    if (base !== undefined) return begin(base)
    if (store === undefined || sessionId === undefined) return begin(ANEW)
    return loadSession(store, { sessionId, scope }).then(begin)
  }
  return new RunHandle(run, admission === undefined ? open : () => admission.open(run, open))
}
