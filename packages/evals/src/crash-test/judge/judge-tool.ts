import type { ToolEffect } from '@parley/core'
import type { CrashVerdict, ShownBy, ToolReport } from '../crash-report.ts'
import { compareEffects, isSameEffect } from '../world/compare-effects.ts'
import type { CleanTraces, Finding } from './judge-point.ts'
import type { TracedCall } from './trace-effects.ts'

/** All that was seen of one tool. */
export interface ToolEvidence {
  readonly agent: string
  readonly tool: string
  readonly declared: ToolEffect
  readonly findings: readonly (Finding & { readonly shownBy: ShownBy })[]
  /** The calls of the tool in pairs of runs that were not killed. */
  readonly clean: readonly (readonly [TracedCall, TracedCall])[]
  /** Whether a repetition of the `once` tool changed nothing more. `undefined` if that was not tried. */
  readonly bearsRepetition?: boolean | undefined
}

const WORST: readonly CrashVerdict[] = ['repeated', 'lost', 'unknown', 'safe']

/** Sums up what was seen of a tool. */
export function judgeTool(evidence: ToolEvidence): ToolReport {
  const { agent, tool, declared, findings } = evidence
  const verdict = WORST.find(each => findings.some(finding => finding.verdict === each)) ?? 'safe'
  const showing = findings.filter(finding => finding.verdict === verdict)
  const [first] = showing
  const counts = { points: findings.length, verdict: showing.length }
  const base = { agent, tool, declared, counts }
  const shownBy = verdict === 'safe' ? undefined : first?.shownBy
  if (verdict === 'repeated')
    return { ...base, verdict, isFault: true, shouldDeclare: 'once', explanation: repeated(evidence, first), shownBy }
  const late = evidence.clean.some(calls => calls.every(call => hasChanges(call.late)))
  if (late && declared !== 'read') {
    const explanation = `It changes the world after it has returned, so a crash loses the change after the run has recorded the success. Wait for the change in the handler.`
    return {
      ...base,
      verdict: 'lost',
      isFault: true,
      shouldDeclare: declared,
      explanation,
      shownBy: verdict === 'lost' ? shownBy : undefined,
    }
  }
  const written = declared === 'read' ? writtenBy(evidence) : undefined
  if (written !== undefined) {
    const explanation = `It declares read, but it changes the world: ${written}. A repetition changed nothing more.`
    return { ...base, verdict, isFault: true, shouldDeclare: 'idempotent', explanation, shownBy }
  }
  if (verdict === 'lost')
    return { ...base, verdict, isFault: true, shouldDeclare: declared, explanation: `${first?.reason ?? ''}.`, shownBy }
  if (verdict === 'unknown') return { ...base, ...unknown(evidence), verdict, isFault: false, shownBy }
  return { ...base, verdict, isFault: false, shouldDeclare: declared, explanation: safe(evidence) }
}

function repeated({ declared, findings }: ToolEvidence, first: Finding | undefined): string {
  const reason = first?.reason ?? ''
  const hasReconciled = findings.some(
    finding => finding.verdict === 'repeated' && finding.reason.startsWith('Reconcile'),
  )
  if (hasReconciled) return `${reason}. Let reconcile answer from the system that was changed.`
  if (declared === 'once') return `${reason}.`
  return `${reason}. Declare once, or make the change depend on context.idempotencyKey alone.`
}

function unknown({ declared, bearsRepetition }: ToolEvidence) {
  const explanation =
    'A kill between its start and its result hides the outcome, and the run says so instead of trying again.'
  if (bearsRepetition !== true)
    return { shouldDeclare: declared, explanation: `${explanation} A reconcile function could find it out.` }
  const advice =
    'A repetition with the same key changed nothing more: with the effect idempotent, the run would continue by itself.'
  return { shouldDeclare: 'idempotent' as const, explanation: `${explanation} ${advice}` }
}

function safe({ findings, clean }: ToolEvidence): string {
  const blind = [...new Set(clean.flatMap(([call]) => (hasLedger(call) ? [] : call.blind)))]
  const again = findings.filter(({ executions }) => executions > 1).length
  const base =
    again > 0 ? `Executed again after ${again} kills, without another change.` : 'No kill changed what it does.'
  if (blind.length === 0) return base
  return `${base} Not seen: ${blind.slice(0, 3).join(', ')}. Export world() or call ledger() to have it judged.`
}

function hasLedger({ effects }: TracedCall): boolean {
  return Object.keys(effects).some(fact => fact.startsWith('ledger\t'))
}

/** What a tool changed in each pair of runs that were not killed. */
function writtenBy({ clean }: ToolEvidence): string | undefined {
  for (const [one, other] of clean) {
    if (isSameEffect(compareEffects([one.effects, other.effects], {}))) continue
    const [fact] = Object.keys(one.effects)
    if (fact !== undefined) return fact.replace('\t', ': ').slice(0, 100)
  }
  return undefined
}

function hasChanges(facts: TracedCall['late']): boolean {
  return Object.keys(facts).length > 0
}

/** Pairs the calls of one tool in two runs that were not killed. */
export function pairCalls([one, other]: CleanTraces): readonly (readonly [TracedCall, TracedCall])[] {
  return one.calls.flatMap(call => {
    const same = other.calls.find(each => each.call.id === call.call.id)
    return same === undefined ? [] : [[call, same] as const]
  })
}
