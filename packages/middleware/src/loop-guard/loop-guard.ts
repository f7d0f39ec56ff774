import { defineMiddleware, toolError, type Middleware, type ToolCall, type ToolOutcome } from '@parley/core'
import { canonicalJson } from '../json/canonical-json.ts'
import { checkFields } from '../options/check-fields.ts'
import { checkNumber } from '../options/check-number.ts'

export interface LoopGuardOptions {
  /** How often the same call may give the same result before it is refused. @default 3 */
  readonly maxRepeats?: number | undefined
  /** How many of the last calls are remembered. @default 30 */
  readonly window?: number | undefined
  /** Refusals in a run after which it is ended. @default 3 */
  readonly stopAfter?: number | undefined
  /** Tools that may be called as often as the model likes. @default none */
  readonly ignore?: readonly string[] | undefined
  readonly onRepeat?: ((repeat: RepeatedCall) => void) | undefined
}

export interface RepeatedCall {
  readonly call: ToolCall
  /** How often it gave the same before. */
  readonly repeats: number
  /** Whether the run is ended over it. */
  readonly stops: boolean
}

interface Past {
  readonly call: string
  readonly result: string
}

const FIELDS = ['maxRepeats', 'window', 'stopAfter', 'ignore', 'onRepeat']

/**
 * Breaks a model's circle: a call that has given the same result again and again, in a row or in turn with others, is not
 * run but answered with advice. A call whose result changes (a poll) is never refused. A model that goes on all the same
 * is stopped: the run ends as cancelled by a guard.
 */
export function loopGuard(options: LoopGuardOptions = {}): Middleware {
  const { maxRepeats = 3, window = 30, stopAfter = 3, ignore = [], onRepeat } = options
  checkFields('loopGuard', options, FIELDS)
  checkNumber({ path: 'loopGuard.maxRepeats', value: maxRepeats, whole: true })
  checkNumber({ path: 'loopGuard.window', value: window, min: maxRepeats, whole: true })
  checkNumber({ path: 'loopGuard.stopAfter', value: stopAfter, whole: true })

  return defineMiddleware('loop-guard', () => {
    const past: Past[] = []
    let refusals = 0
    return {
      async turn(_turn, next) {
        // A stage that does not go on ends the run.
        if (refusals < stopAfter) await next()
      },
      async tool(call, next) {
        if (ignore.includes(call.tool.name)) return next(call)
        const name = `${call.tool.name} ${canonicalJson(call.input)}`
        const repeats = countRepeats(past, name)
        if (repeats >= maxRepeats) {
          refusals += 1
          onRepeat?.({ call, repeats, stops: refusals >= stopAfter })
          return refusal(call, repeats)
        }
        const outcome = await next(call)
        past.push({ call: name, result: resultOf(outcome) })
        if (past.length > window) past.shift()
        return outcome
      },
    }
  })
}

/** How often the call came to what it came to last. */
function countRepeats(past: readonly Past[], call: string): number {
  const results = past.filter(each => each.call === call).map(each => each.result)
  const last = results.at(-1)
  const changed = results.findLastIndex(result => result !== last)
  return results.length - 1 - changed
}

function resultOf(outcome: ToolOutcome): string {
  return outcome.type === 'ok' || outcome.type === 'error' ? canonicalJson(outcome.content) : outcome.type
}

function refusal({ tool }: ToolCall, repeats: number): ToolOutcome {
  const reason = `it gave the same result ${repeats} times with these arguments and was not run again.`
  const advice = 'Use what it gave, change the arguments, or answer with what you have.'
  return toolError(`'${tool.name}' was not run: ${reason} ${advice}`, {
    error: { code: 'tool-denied', tool: tool.name, reason },
  })
}
