import {
  checkOptions,
  defineMiddleware,
  checkNumber,
  type Middleware,
  type ToolCall,
  type OptionKinds,
} from '@parley/core'
import { refuse } from '../outcome/refuse.ts'
import { fingerprint } from './fingerprint.ts'
import { PastCalls } from './past-calls.ts'

export interface LoopGuardOptions {
  /** Number of times that the same call may give the same result. After that the call is refused. @default 3 */
  readonly maxRepeats?: number | undefined
  /** Number of newest calls that are compared. @default 30 */
  readonly window?: number | undefined
  /** Number of refusals in a run after which the run ends. @default 3 */
  readonly stopAfter?: number | undefined
  /** Tools that may be called any number of times. @default none */
  readonly ignore?: readonly string[] | undefined
  /** Called for each refused call. @default none */
  readonly onRepeat?: ((repeat: RepeatedCall) => void) | undefined
}

/** A repeated call that was refused. */
export interface RepeatedCall {
  readonly call: ToolCall
  /** Number of times that the call gave the same result before. */
  readonly repeats: number
  /** Whether this refusal ends the run. */
  readonly stops: boolean
}

const OPTIONS: OptionKinds<LoopGuardOptions> = {
  maxRepeats: 'number',
  window: 'number',
  stopAfter: 'number',
  ignore: 'strings',
  onRepeat: 'function',
}

/**
 * Breaks loops of a model. A call that has given the same result repeatedly, in a row or between other calls, does not run
 * again; the model gets advice instead. A call whose result changes, such as a poll, is never refused. If the model continues
 * regardless, the run ends as cancelled by a guard.
 * @throws ParleyError `config-invalid` if an option is unknown or a number is invalid.
 */
export function loopGuard(options: LoopGuardOptions = {}): Middleware {
  checkOptions('loopGuard', options, OPTIONS)
  const { maxRepeats = 3, window = 30, stopAfter = 3, ignore = [], onRepeat } = options
  checkNumber({ path: 'loopGuard.maxRepeats', value: maxRepeats, whole: true })
  checkNumber({ path: 'loopGuard.window', value: window, min: maxRepeats, whole: true })
  checkNumber({ path: 'loopGuard.stopAfter', value: stopAfter, whole: true })

  return defineMiddleware('loop-guard', () => {
    const past = new PastCalls(window)
    let refusals = 0
    return {
      beforeTurn: () => refusals < stopAfter,
      async tool(call, next) {
        if (ignore.includes(call.tool.name)) return next(call)
        const print = fingerprint(call.input)
        const repeats = past.repeats(call, print)
        if (repeats >= maxRepeats) {
          refusals += 1
          onRepeat?.({ call, repeats, stops: refusals >= stopAfter })
          return refuse({ code: 'tool-denied', tool: call.tool.name, reason: adviceAfter(repeats) })
        }
        const outcome = await next(call)
        past.add(call, print, outcome)
        return outcome
      },
    }
  })
}

function adviceAfter(repeats: number): string {
  const reason = `it gave the same result ${repeats} times with these arguments and was not run again.`
  return `${reason} Use what it gave, change the arguments, or answer with what you have.`
}
