import type { JournalAppend, Middleware, ToolContext } from '@parley/core'
import { defineMiddleware } from '@parley/core'
import type { CrashPoint } from '../points/crash-point.ts'
import type { MarkedCall } from '../process/mark.ts'
import type { Facts } from '../world/facts.ts'
import type { MarkWriter } from './mark-writer.ts'
import type { RunNames } from './run-names.ts'
import { handling } from './watch-changes.ts'

export interface ProbeOptions {
  readonly marks: MarkWriter
  readonly names: () => RunNames
  readonly point: CrashPoint | undefined
  /** The call after which the world is not looked at, because that would delay the kill. */
  readonly unseen: string | undefined
  readonly look: () => Promise<Facts>
}

/** What a handler is, for the marks. */
export interface ProbedHandler {
  readonly handler: 'execute' | 'reconcile'
  readonly tool: string
  readonly effect: MarkedCall['effect']
  readonly context: ToolContext
}

/** Longest wait for another call's result to become durable. */
const PATIENCE_MS = 2_000

/**
 * Looks at the world before and after each handler. Handlers run one after another, and the next one starts when the result
 * of the last one is durable, so that each change belongs to one call and a repetition takes the same steps.
 */
export interface Probe {
  readonly middleware: Middleware
  /** Calls a handler between two looks at the world. */
  around(handler: ProbedHandler, work: () => unknown): Promise<unknown>
  /** Lets other handlers run while a child run works. */
  delegating<TResult>(handler: ProbedHandler, work: () => Promise<TResult>): Promise<TResult>
  onAppended(append: JournalAppend): void
}

/** Creates the probe of one process. */
export function createProbe({ marks, names, point, unseen, look }: ProbeOptions): Probe {
  const turns = createTurns()
  const toCall = ({ context, tool, effect }: ProbedHandler): MarkedCall => {
    const run = names().nameOf(context.run.runId)
    const { callId } = context
    return { id: `${run}/${callId}`, run, callId, tool, agent: context.run.agent, effect }
  }
  const middleware = defineMiddleware('crash-test-turns', run => ({
    async tool(call, next) {
      const key = `${run.runId}/${call.callId}`
      await turns.take(key)
      const outcome = await next(call)
      // The other outcomes are durable with the result of the call.
      if (outcome.type === 'ask' || outcome.type === 'pending') turns.leave(key)
      return outcome
    },
  }))
  return {
    middleware,
    async around(given, work) {
      const call = toCall(given)
      const { handler } = given
      marks.write({ type: 'call', handler, call, world: await look() })
      const current = { call, changes: 0, isOver: false }
      try {
        return await handling.run(current, async () => work())
      } finally {
        current.isOver = true
        const isPoint = point?.type === 'end' && point.run === call.run && point.callId === call.callId
        if (isPoint && handler === 'execute') marks.kill()
        marks.write({ type: 'return', handler, call, world: call.id === unseen ? undefined : await look() })
      }
    },
    async delegating(given, work) {
      const call = toCall(given)
      const key = `${given.context.run.runId}/${given.context.callId}`
      marks.write({ type: 'pause', call, world: await look() })
      turns.leave(key)
      try {
        return await work()
      } finally {
        await turns.take(key)
        marks.write({ type: 'continue', call, world: await look() })
      }
    },
    onAppended({ runId, entries }) {
      for (const entry of entries) if (entry.type === 'tool.ended') turns.leave(`${runId}/${entry.callId}`)
    },
  }
}

interface Turns {
  take(key: string): Promise<void>
  leave(key: string): void
}

/** A queue in which one call at a time has its turn. */
function createTurns(): Turns {
  let holder: string | undefined
  const waiting: { readonly key: string; readonly start: () => void }[] = []
  const pass = (): void => {
    const next = waiting.shift()
    holder = next?.key
    next?.start()
  }
  return {
    async take(key) {
      if (holder === undefined || holder === key) {
        holder = key
        return
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      const place = { key, start: resolve }
      waiting.push(place)
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(place), 1)
        resolve()
      }, PATIENCE_MS)
      await promise
      clearTimeout(timer)
    },
    leave: key => (holder === key ? pass() : undefined),
  }
}
