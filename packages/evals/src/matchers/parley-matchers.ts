import type { Cost, Message } from '@parley/core'
import { readCalls } from '../trajectory/made-call.ts'
import {
  isWanted,
  matchCalls,
  showCalls,
  showWanted,
  type CallMatch,
  type WantedCall,
} from '../trajectory/match-calls.ts'

/** The part of a run's result that the matchers read. `await run.result` has it, and so has `run` of a sample. */
export interface RunLike {
  readonly messages: readonly Message[]
  readonly cost: Cost | undefined
  readonly status?: string | undefined
}

/** The matchers, as `expect` has them. `R` is what a matcher returns: nothing, or a promise. */
export interface ParleyMatchers<R = unknown> {
  /** The run called the tool. With `input`, the arguments of a call have these fields, and may have others. */
  toHaveCalledTool(name: string, input?: unknown): R
  /** The run called these tools in this order, maybe with others between them. */
  toHaveCalledToolsInOrder(wanted: readonly WantedCall[]): R
  /** The tool calls of the run are the wanted ones, in the sense of `match`. */
  toHaveCalledTools(wanted: readonly WantedCall[], match?: CallMatch): R
  /** The run completed. */
  toHaveCompleted(): R
  /** The run, with its child runs, cost at most this number of US dollars. */
  toHaveCostAtMost(usd: number): R
}

/** What a matcher returns to Vitest or Jest. */
interface MatcherResult {
  readonly pass: boolean
  readonly message: () => string
}

/** Matchers for `expect.extend(parleyMatchers)` of Vitest and Jest. */
export const parleyMatchers = {
  toHaveCalledTool(received: unknown, name: string, input?: unknown): MatcherResult {
    const calls = callsOf(received)
    const wanted = { name, input }
    const pass = calls.some(call => isWanted(call, wanted))
    return resultOf(pass, `call ${showWanted([wanted])}`, `called ${showCalls(calls)}`)
  },
  toHaveCalledToolsInOrder(received: unknown, wanted: readonly WantedCall[]): MatcherResult {
    return parleyMatchers.toHaveCalledTools(received, wanted, 'in-order')
  },
  toHaveCalledTools(received: unknown, wanted: readonly WantedCall[], match: CallMatch = 'exact'): MatcherResult {
    const calls = callsOf(received)
    const words = `call (${match}): ${showWanted(wanted)}`
    return resultOf(matchCalls(calls, wanted, match), words, `called ${showCalls(calls)}`)
  },
  toHaveCompleted(received: unknown): MatcherResult {
    const { status } = runOf(received)
    const { error, hit } = received as { readonly error?: unknown; readonly hit?: unknown }
    const cause = error ?? hit
    const found = `its status is ${String(status)}${cause === undefined ? '' : `: ${JSON.stringify(cause)}`}`
    return resultOf(status === 'completed', 'complete', found)
  },
  toHaveCostAtMost(received: unknown, usd: number): MatcherResult {
    const { cost } = runOf(received)
    if (cost === undefined) throw new TypeError("the cost of the run is unknown; set `pricing` in the model's info")
    return resultOf(cost.usd <= usd, `cost at most $${usd}`, `it cost $${cost.usd}`)
  },
}

function resultOf(pass: boolean, wanted: string, found: string): MatcherResult {
  return { pass, message: () => `expected the run ${pass ? 'not to' : 'to'} ${wanted}; ${found}` }
}

function callsOf(received: unknown): ReturnType<typeof readCalls> {
  return readCalls(runOf(received).messages)
}

function runOf(received: unknown): RunLike {
  if (typeof received === 'object' && received !== null && 'messages' in received && Array.isArray(received.messages))
    return received as RunLike
  throw new TypeError('must be the result of a run: `expect(await run.result)`')
}
