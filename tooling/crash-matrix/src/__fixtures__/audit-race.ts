import type { Entry, RunStatus } from '@parley/core'
import type { RaceAnswer } from './command-worker.ts'

/** The records of a run after a race. */
export interface RacedRun {
  readonly status: RunStatus | undefined
  readonly entries: readonly Entry[]
  readonly answers: readonly RaceAnswer[]
  /** How often the tool took effect. */
  readonly effects: number
}

/** Codes that may refuse a command. */
const REFUSALS = ['approval-decided', 'run-ended', 'run-busy']

/** The faults of a run after a race, in words. */
export function auditRace({ status, entries, answers, effects }: RacedRun): readonly string[] {
  const faults: string[] = []
  const check = (holds: boolean, fault: string): void => void (holds || faults.push(fault))
  const accepted = (...commands: readonly string[]): readonly RaceAnswer[] =>
    answers.filter(answer => answer.refused === undefined && commands.includes(answer.command))
  const types = entries.map(({ type }) => type)
  const decisions = entries.flatMap(entry => (entry.type === 'approval.decided' ? [entry.decision.type] : []))
  check(status !== 'running' && status !== 'suspended', 'the run was left alone')
  check(types.at(-1) === 'run.ended', 'an entry follows the end')
  for (const { command, refused } of answers) {
    check(refused === undefined || REFUSALS.includes(refused), `${command} was refused with ${refused}`)
  }
  const deciders = accepted('approve', 'reject')
  check(deciders.length <= 1, 'two decisions were accepted')
  check(decisions.length <= 1, 'two decisions were recorded')
  for (const { command } of deciders) {
    check(decisions[0] === (command === 'approve' ? 'approved' : 'rejected'), `the accepted ${command} was lost`)
  }
  if (accepted('cancel').length > 0) check(types.includes('cancel.requested'), 'an accepted cancel was lost')
  if (accepted('steer').length > 0) check(types.includes('input.queued'), 'an accepted message was lost')
  const isCancelled = types.includes('cancel.requested')
  check(status === (isCancelled ? 'cancelled' : 'completed'), `the run ended as ${status}`)
  check(!JSON.stringify(entries).includes('tool-interrupted'), 'a call was reported as interrupted')
  const starts = entries.filter(entry => entry.type === 'tool.started' && entry.name === 'pay').length
  // A cancel that arrives while the engine writes `tool.started` ends the call with an error before the tool runs.
  const paid = entries.filter(
    entry => entry.type === 'tool.ended' && entry.name === 'pay' && entry.error === undefined,
  ).length
  const least = starts === 0 ? 0 : paid
  check(effects >= least && effects <= starts, `${effects} effects of ${starts} starts, ${paid} of them successful`)
  const isAllowed = decisions[0] === 'approved' || !types.includes('approval.requested')
  if (!isCancelled) check(effects === (isAllowed ? 1 : 0), `${effects} effects after ${decisions[0]}`)
  return faults
}
