import { createId, userMessage, type RunFacts, type UserMessage } from '@parley/core'
import type { Agent } from '../runtime/agent.ts'
import { loadSession, type SessionBase } from '../journal/load-run.ts'
import { openTools } from '../tools/open-tools.ts'
import { RunHandle } from './run-handle.ts'
import { RunScope } from './run-scope.ts'
import { initialState } from '../journal/run-state.ts'
import type { RunOptions } from '../runtime/runtime.ts'
import type { RuntimeContext } from '../runtime/runtime-context.ts'

export interface StartRequest {
  readonly agent: string | Agent
  readonly input: string | UserMessage
  readonly options: RunOptions
}

/** A new run, driven from its first entry. */
export function startRun(context: RuntimeContext, { agent, input, options }: StartRequest): RunHandle {
  const { agents, clock, store, worker } = context
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
  const run = new RunScope({ facts, prepared, clock, state: initialState(), target })

  function begin(base: SessionBase | undefined): void | Promise<void> {
    if (base !== undefined) run.goOnFrom(base.messages, base.context)
    run.journal.record({
      type: 'run.started',
      agent: facts.agent,
      model: prepared.modelName,
      sessionId: facts.sessionId,
      scope,
      relation: base === undefined ? 'initial' : 'continue',
      ...(base === undefined ? {} : { base: base.at }),
      ...(principal === undefined ? {} : { principal }),
      ...(metadata === undefined ? {} : { metadata: { ...metadata } }),
      ...(history === undefined ? {} : { history: [...history] }),
    })
    const message = typeof input === 'string' ? userMessage(input) : input
    run.journal.record({ type: 'message.appended', source: 'input', message })
    return openTools(run)
  }
  const open =
    store === undefined || sessionId === undefined
      ? (): void | Promise<void> => begin(undefined)
      : async (): Promise<void> => begin(await loadSession(store, { sessionId, scope }))
  return new RunHandle(run, open)
}
