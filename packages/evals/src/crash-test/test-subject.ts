import type { RunFault, ShownBy } from './crash-report.ts'
import { judgePoint, type CleanTraces, type Finding } from './judge/judge-point.ts'
import { compareEffects, isSameEffect } from './world/compare-effects.ts'
import { formatPoint, type CrashPoint } from './points/crash-point.ts'
import { planPoints, type PlannedPoint } from './points/plan-points.ts'
import type { ProvingGround, Subject } from './process/proving-ground.ts'

export interface SubjectOptions {
  readonly ground: ProvingGround
  /** The only point. */
  readonly at: CrashPoint | undefined
  /** Told how many repetitions follow. */
  readonly plan: (count: number) => void
  /** Waits for a place for one repetition. */
  readonly inPlace: <TResult>(work: () => Promise<TResult>) => Promise<TResult>
}

/** All that the kills of one run showed. */
export interface SubjectResult {
  readonly subject: Subject
  /** Absent if the run does not end even without a kill. */
  readonly clean?: CleanTraces | undefined
  readonly findings: readonly (Finding & { readonly shownBy: ShownBy })[]
  readonly faults: readonly RunFault[]
  /** `once` tools whose repetition was tried, and whether it changed nothing more. */
  readonly tried: ReadonlyMap<string, boolean>
  readonly kills: number
}

/** Runs a subject without a kill, and then with a kill at each point. */
export async function testSubject(subject: Subject, options: SubjectOptions): Promise<SubjectResult> {
  const { ground, at, plan, inPlace } = options
  plan(2)
  const first = await inPlace(() => ground.repeat(subject))
  const second = await inPlace(() => ground.repeat(subject, { isLater: true }))
  const clean = [first.trace, second.trace] as const
  const none = { subject, findings: [], tried: new Map<string, boolean>(), kills: 0 }
  if (!hasEnded(first.trace.status)) {
    const detail = first.trace.error === undefined ? '' : `: ${first.trace.error}`
    const explanation = `The run is ${first.trace.status} even without a kill${detail}.`
    return { ...none, faults: [{ agent: subject.agent, input: subject.input, explanation }] }
  }
  const planned = planPoints(first.marks).filter(
    ({ point }) => at === undefined || formatPoint(point) === formatPoint(at),
  )
  plan(planned.length)
  const killed = await Promise.all(
    planned.map(point => inPlace(async () => ({ point, ...(await ground.repeat(subject, { planned: point })) }))),
  )
  const shownAt = (point: PlannedPoint): ShownBy => ({
    at: formatPoint(point.point),
    agent: subject.agent,
    input: subject.input,
    words: point.words,
  })
  const results = killed.filter(({ wasKilled }) => wasKilled)
  const findings = results.flatMap(({ point, trace }) =>
    judgePoint(clean, trace).map(finding => ({ ...finding, shownBy: shownAt(point) })),
  )
  const tried = await tryRepetitions(subject, {
    ...options,
    clean,
    killed: results.map(({ point }) => point),
    findings,
  })
  const faults = results.flatMap(({ point, trace }): readonly RunFault[] => {
    if (trace.status === first.trace.status) return []
    if (findings.some(({ shownBy, verdict }) => shownBy.at === formatPoint(point.point) && verdict !== 'safe'))
      return []
    const explanation = `The resumed run is ${trace.status} instead of ${first.trace.status}${trace.error === undefined ? '' : `: ${trace.error}`}.`
    return [{ agent: subject.agent, input: subject.input, explanation, shownBy: shownAt(point) }]
  })
  return { subject, clean, findings, faults: faults.slice(0, 1), tried, kills: results.length }
}

function hasEnded(status: string): boolean {
  return status === 'completed' || status === 'limit' || status === 'cancelled' || status === 'rejected'
}

interface Trying extends SubjectOptions {
  readonly clean: CleanTraces
  readonly killed: readonly PlannedPoint[]
  readonly findings: readonly Finding[]
}

/** Repeats `once` calls whose outcome a crash hid, as if they were idempotent, to see whether they could be. */
async function tryRepetitions(
  subject: Subject,
  { ground, plan, inPlace, clean, killed, findings }: Trying,
): Promise<ReadonlyMap<string, boolean>> {
  const tried = new Map<string, boolean>()
  for (const { call, verdict } of findings) {
    const { tool } = call
    if (verdict !== 'unknown' || tried.has(tool)) continue
    const planned = killed.find(({ point }) => point.type === 'end' && `${point.run}/${point.callId}` === call.id)
    const calls = clean.map(trace => trace.calls.find(each => each.call.id === call.id)?.effects ?? {})
    const [one = {}, other = {}] = calls
    // A change that is not seen cannot be seen twice.
    if (planned === undefined || isSameEffect(compareEffects([one, other], {}))) continue
    plan(1)
    const { trace, wasKilled } = await inPlace(() => ground.repeat(subject, { planned, tried: tool }))
    const found = trace.calls.find(each => each.call.id === call.id)
    const isSame = isSameEffect(compareEffects([one, other], found?.effects ?? {}))
    if (wasKilled)
      tried.set(tool, isSame && (found?.executions ?? 0) > 1 && trace.fates.get(call.id)?.error === undefined)
  }
  return tried
}
