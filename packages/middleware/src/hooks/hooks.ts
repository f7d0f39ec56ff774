import {
  defineMiddleware,
  ParleyError,
  ZERO_USAGE,
  type Message,
  type Middleware,
  type MiddlewareStages,
  type RunFacts,
  type Turn,
  type Usage,
  checkOptions,
  type OptionKinds,
} from '@parley/core'
import { refuse } from '../outcome/refuse.ts'
import type { Hooks, TurnEnd } from './hook-signatures.ts'
import { modelHooks } from './model-hooks.ts'
import { toSession } from './to-session.ts'
import { watchEvents, type RunWatch } from './watch-events.ts'
import type { ThrownHooks } from './watch-failures.ts'

const OPTIONS: OptionKinds<Hooks> = {
  beforeSession: 'function',
  afterSession: 'function',
  beforeRun: 'function',
  afterRun: 'function',
  beforeTurn: 'function',
  afterTurn: 'function',
  getMessages: 'function',
  deliver: 'function',
  transformContext: 'function',
  convertMessages: 'function',
  beforeModel: 'function',
  afterModel: 'function',
  onError: 'function',
  onFailure: 'function',
  beforeTool: 'function',
  afterTool: 'function',
  onProgress: 'function',
  onCompacting: 'function',
  afterCompaction: 'function',
}

/**
 * Turns hooks into a middleware. If there are several, the first one in the list has its before-hooks called first and
 * its after-hooks called last.
 * @throws ParleyError `config-invalid` if a hook is unknown, or if `deliver` is given without `getMessages`.
 */
export function hooks(given: Hooks): Middleware {
  checkOptions('hooks', given, OPTIONS)
  const { getMessages, deliver } = given
  if (deliver !== undefined && getMessages === undefined)
    throw new ParleyError({ code: 'config-invalid', path: 'hooks.deliver', detail: 'requires getMessages' })
  return defineMiddleware('hooks', (run, progress) => {
    const watch: RunWatch = { usage: ZERO_USAGE, progress, thrown: { model: false, calls: new Set() } }
    return {
      ...(hasEventHook(given) && { event: watchEvents(given, run, watch) }),
      ...(hasTurnHook(given) && turnHooks(given, run, watch)),
      ...(getMessages !== undefined && deliver === undefined && { steer: () => getMessages(run) }),
      ...(hasModelHook(given) && { model: modelHooks(given, run, watch.thrown) }),
      ...((given.beforeTool ?? given.afterTool) && { tool: toolStage(given, run, watch.thrown) }),
    }
  })
}

function hasTurnHook({ beforeSession, beforeRun, beforeTurn, afterTurn, deliver }: Hooks): boolean {
  return [beforeSession, beforeRun, beforeTurn, afterTurn, deliver].some(hook => hook !== undefined)
}

function hasEventHook({
  afterTurn,
  onProgress,
  onCompacting,
  afterCompaction,
  afterRun,
  afterSession,
  onFailure,
}: Hooks): boolean {
  const all = [afterTurn, onProgress, onCompacting, afterCompaction, afterRun, afterSession, onFailure]
  return all.some(hook => hook !== undefined)
}

function hasModelHook({ transformContext, convertMessages, beforeModel, afterModel, onError }: Hooks): boolean {
  return [transformContext, convertMessages, beforeModel, afterModel, onError].some(hook => hook !== undefined)
}

function turnHooks(given: Hooks, run: RunFacts, watch: RunWatch): Pick<MiddlewareStages, 'beforeTurn' | 'afterTurn'> {
  let begun = false
  return {
    async beforeTurn(turn) {
      const isFirst = turn.turn === 1 && !begun
      begun = true
      const begins = isFirst && watch.progress.runs === 1
      if (begins && (await given.beforeSession?.(run, toSession(run, watch.progress))) === false) return false
      if (isFirst && (await given.beforeRun?.(run, turn)) === false) return false
      if (given.beforeTurn !== undefined && (await given.beforeTurn(run, turn)) === false) return false
      watch.usage = ZERO_USAGE
      return true
    },
    async afterTurn(turn) {
      if (given.afterTurn !== undefined) await given.afterTurn(run, new EndedTurn(turn, watch.usage))
      const { getMessages, deliver } = given
      if (getMessages === undefined || deliver === undefined || turn.signal.aborted) return
      for (const message of await getMessages(run)) await deliver(run.runId, message)
    },
  }
}

class EndedTurn implements TurnEnd {
  readonly turn: number
  readonly usage: Usage
  readonly #ended: Turn

  constructor(ended: Turn, usage: Usage) {
    this.turn = ended.turn
    this.usage = usage
    this.#ended = ended
  }

  get messages(): readonly Message[] {
    return this.#ended.messages
  }
}

type ToolStage = NonNullable<MiddlewareStages['tool']>

function toolStage(given: Hooks, run: RunFacts, { calls }: ThrownHooks): ToolStage {
  const { beforeTool, afterTool } = given
  return async (call, next) => {
    const { callId } = call
    // Set while a hook runs: if it throws, the mark stays.
    calls.add(callId)
    const decision = await beforeTool?.(call, run)
    calls.delete(callId)
    if (decision === false || (typeof decision === 'object' && 'block' in decision)) {
      const reason = decision === false ? 'a hook refused it.' : decision.block
      return refuse({ code: 'tool-denied', tool: call.tool.name, reason })
    }
    const asked = typeof decision === 'object' ? { ...call, input: decision.input } : call
    const outcome = await next(asked)
    calls.add(callId)
    const changed = await afterTool?.(asked, outcome, run)
    calls.delete(callId)
    return changed ?? outcome
  }
}
