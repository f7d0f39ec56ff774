import {
  defineMiddleware,
  ParleyError,
  ZERO_USAGE,
  type Middleware,
  type MiddlewareStages,
  type RunFacts,
} from '@parley/core'
import { checkFields } from '../options/check-fields.ts'
import { refuse } from '../outcome/refuse.ts'
import type { Hooks } from './hook-signatures.ts'
import { modelHooks } from './model-hooks.ts'
import { watchEvents, type RunWatch } from './watch-events.ts'

const FIELDS: Readonly<Record<keyof Hooks, true>> = {
  beforeSession: true,
  afterSession: true,
  beforeRun: true,
  afterRun: true,
  beforeTurn: true,
  afterTurn: true,
  getMessages: true,
  deliver: true,
  transformContext: true,
  convertMessages: true,
  beforeModel: true,
  afterModel: true,
  onError: true,
  beforeTool: true,
  afterTool: true,
  onProgress: true,
  onCompacting: true,
  afterCompaction: true,
}

/**
 * Turns hooks into a middleware. Several middleware of hooks nest like other middleware: the first one in the list has its
 * before-hooks called first and its after-hooks called last.
 * @throws ParleyError `config-invalid` if a hook is unknown, or if only one of `getMessages` and `deliver` is given.
 */
export function hooks(given: Hooks): Middleware {
  checkFields('hooks', given, Object.keys(FIELDS))
  if ((given.getMessages === undefined) !== (given.deliver === undefined)) {
    throw new ParleyError({
      code: 'config-invalid',
      path: 'hooks',
      detail: 'getMessages and deliver require each other',
    })
  }
  return defineMiddleware('hooks', run => {
    const watch: RunWatch = { usage: ZERO_USAGE }
    return {
      ...(hasEventHook(given) && { event: watchEvents(given, run, watch) }),
      ...(hasTurnHook(given) && turnHooks(given, run, watch)),
      ...(hasModelHook(given) && { model: modelHooks(given, run) }),
      ...((given.beforeTool ?? given.afterTool) && { tool: toolStage(given, run) }),
    }
  })
}

function hasTurnHook({ beforeSession, beforeRun, beforeTurn, afterTurn, getMessages }: Hooks): boolean {
  return [beforeSession, beforeRun, beforeTurn, afterTurn, getMessages].some(hook => hook !== undefined)
}

function hasEventHook({
  afterTurn,
  onProgress,
  onCompacting,
  afterCompaction,
  afterRun,
  afterSession,
}: Hooks): boolean {
  return [afterTurn, onProgress, onCompacting, afterCompaction, afterRun, afterSession].some(hook => hook !== undefined)
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
      // A conversation of only the input message means that the session begins here.
      if (isFirst && turn.messages === 1 && (await given.beforeSession?.(run)) === false) return false
      if (isFirst && (await given.beforeRun?.(run)) === false) return false
      if (given.beforeTurn !== undefined && (await given.beforeTurn(run, turn)) === false) return false
      watch.usage = ZERO_USAGE
      return true
    },
    async afterTurn(turn) {
      if (given.afterTurn !== undefined) await given.afterTurn(run, { turn: turn.turn, usage: watch.usage })
      if (given.getMessages === undefined || turn.signal.aborted) return
      for (const message of await given.getMessages(run)) await given.deliver?.(run.runId, message)
    },
  }
}

function toolStage({ beforeTool, afterTool }: Hooks, run: RunFacts): NonNullable<MiddlewareStages['tool']> {
  return async (call, next) => {
    const decision = await beforeTool?.(call, run)
    if (decision === false || (typeof decision === 'object' && 'block' in decision)) {
      const reason = decision === false ? 'a hook refused it.' : decision.block
      return refuse({ code: 'tool-denied', tool: call.tool.name, reason })
    }
    const given = typeof decision === 'object' ? { ...call, input: decision.input } : call
    const outcome = await next(given)
    return (await afterTool?.(given, outcome, run)) ?? outcome
  }
}
