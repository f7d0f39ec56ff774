import type { CrashVerdict } from '../crash-report.ts'
import type { CallFate, MarkedCall } from '../process/mark.ts'
import { compareEffects, isSameEffect, type EffectDifference } from '../world/compare-effects.ts'
import type { Trace, TracedCall } from './trace-effects.ts'

/** Two runs that were not killed. What they do differently says nothing. */
export type CleanTraces = readonly [Trace, Trace]

/** What one kill showed about one call. */
export interface Finding {
  readonly call: MarkedCall
  readonly verdict: CrashVerdict
  /** Why, in a sentence. Empty for `safe`. */
  readonly reason: string
  readonly executions: number
}

/**
 * Compares a run that was killed and resumed with runs that were not. The first call that is not safe ends the comparison,
 * because later calls may depend on it.
 */
export function judgePoint(clean: CleanTraces, killed: Trace): readonly Finding[] {
  const findings: Finding[] = []
  for (const { call } of clean[0].calls) {
    const expected = [viewOf(clean[0], call.id), viewOf(clean[1], call.id)] as const
    const verdict = judgeCall(expected, viewOf(killed, call.id))
    findings.push({ call, ...verdict })
    if (verdict.verdict !== 'safe') break
  }
  return findings
}

/** What a trace says about one call. A call whose handler was never called has no effects. */
interface CallView extends Pick<TracedCall, 'executions' | 'hasReconciled' | 'effects'> {
  readonly isRead: boolean
  readonly fate: CallFate | undefined
}

function viewOf(trace: Trace, id: string): CallView {
  const traced = trace.calls.find(({ call }) => call.id === id)
  const { executions = 0, hasReconciled = false, effects = {} } = traced ?? {}
  return { executions, hasReconciled, effects, isRead: traced?.call.effect === 'read', fate: trace.fates.get(id) }
}

type Judgement = Omit<Finding, 'call'>

function judgeCall([expected, other]: readonly [CallView, CallView], found: CallView): Judgement {
  const { executions, hasReconciled, fate } = found
  const because = (verdict: CrashVerdict, reason = ''): Judgement => ({ verdict, reason, executions })
  const isUnknown = fate?.error === 'tool-interrupted'
  const difference = compareEffects([expected.effects, other.effects], found.effects)
  if (!isSameEffect(difference)) {
    const isMore = executions > expected.executions || hasReconciled
    if (isRepeated(difference, isMore)) return because('repeated', repeatedReason(difference, found))
    return isUnknown ? because('unknown') : because('lost', lostReason(difference, found))
  }
  if (isUnknown) return because('unknown')
  const lost = lostResult([expected, other], found)
  return lost === undefined ? because('safe') : because('lost', lost)
}

function isRepeated({ extra, missing, changed }: EffectDifference, isMore: boolean): boolean {
  if (missing.length > 0) return extra.length > missing.length
  return extra.length > 0 || (changed.length > 0 && isMore)
}

/** Says what is wrong with the result that the model reads, for a call whose effect is as it should be. */
function lostResult([expected, other]: readonly [CallView, CallView], found: CallView): string | undefined {
  if (expected.fate === undefined || found.fate === undefined) return undefined
  const { error, text } = found.fate
  const isAgain = found.executions > expected.executions
  if (expected.fate.error === undefined && error !== undefined) {
    return isAgain
      ? `The repetition fails (${short(text)}), although the first execution has changed the world: the model reads a failure`
      : `The call fails in the resumed process: ${short(text)}`
  }
  // A tool may say that a change was made before. What it reads must not depend on the process that it runs in.
  if ((isAgain && !found.isRead) || found.hasReconciled || expected.fate.text !== other.fate?.text) return undefined
  if (text === expected.fate.text) return undefined
  return `Its result is '${short(text)}' instead of '${short(expected.fate.text)}': something was only in the memory of the killed process`
}

function repeatedReason({ extra, changed }: EffectDifference, found: CallView): string {
  const first = telling(extra)
  const what =
    first === undefined ? `${show(changed[0]?.[1] ?? '')} instead of ${show(changed[0]?.[0] ?? '')}` : show(first)
  const how = found.hasReconciled ? 'reconcile said that the call was not done, and it ran again' : 'The call ran again'
  const start = how.charAt(0).toUpperCase() + how.slice(1)
  return `${start} and changed the world again: ${what}`
}

function lostReason({ missing, changed }: EffectDifference, found: CallView): string {
  const first = telling(missing)
  const what =
    first === undefined
      ? `${show(changed[0]?.[0] ?? '')} became ${show(changed[0]?.[1] ?? '')}`
      : `${show(first)} is missing`
  if (found.hasReconciled && found.fate?.error === undefined)
    return `Reconcile said that the call was done, but ${what}`
  if (found.fate?.error !== undefined) return `The resumed call failed (${short(found.fate.text)}), and ${what}`
  return `The run says that the call succeeded, but ${what}`
}

/** The fact that tells most: a line of a file, and not that there is the file. */
function telling(facts: readonly string[]): string | undefined {
  return facts.find(fact => !/\t(?:file|table)$/.test(fact)) ?? facts[0]
}

function show(fact: string): string {
  const [place = '', content = ''] = fact.split('\t')
  return content === '' ? place : `the line '${short(content)}' of ${place}`
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}
