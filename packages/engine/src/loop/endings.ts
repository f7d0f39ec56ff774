import type { Outcome } from '@parley/core'
import { decide, type ActionOf } from '../journal/decide.ts'
import type { RunContext } from '../run-context/run-context.ts'
import type { EntryBody } from '../run-context/run-journal.ts'
import type { Suspended } from '../run-context/run-result.ts'
import { runTotals } from '../journal/run-totals.ts'
import { splitRequests } from '../journal/pending-request.ts'
import { askApprovalHandler } from '../steps/approval/ask-approval-handler.ts'

/** Records the outcome of the run. Resolves to `undefined` if a command arrived first: the run then continues. */
export async function end(run: RunContext, { outcome }: ActionOf<'end'>): Promise<Outcome | undefined> {
  if (run.state.outcome === undefined) {
    const ended = { type: 'run.ended' as const, outcome, ...runTotals(run.state) }
    return (await conclude(run, ended)) ? outcome : undefined
  }
  await run.journal.commit()
  return outcome
}

/** Asks the approval handler, and suspends the run if no request is answered. Resolves to `undefined` if the run continues. */
export async function awaitAnswers(
  run: RunContext,
  { requests }: ActionOf<'await-answers'>,
): Promise<Suspended | undefined> {
  if (await askApprovalHandler(run, requests)) return undefined
  // A command may have been recorded since the approvers answered.
  const next = decide(run.state, run.policy, run.due)
  if (next.type !== 'await-answers') return undefined
  const waiting = splitRequests(next.requests)
  const suspended = waiting.clientCalls === undefined ? waiting : { ...waiting, reason: 'client-tools' as const }
  if (!(await conclude(run, { type: 'run.suspended', ...suspended }))) return undefined
  return { status: 'suspended', clientCalls: [], ...suspended }
}

/** Suspends the run, so that another process can resume it. */
export async function release(run: RunContext, { requests }: ActionOf<'release'>): Promise<Suspended> {
  const released = { ...splitRequests(requests), reason: 'shutdown' as const }
  await run.journal.conclude({ type: 'run.suspended', ...released })
  return { status: 'suspended', clientCalls: [], ...released }
}

/**
 * Records the terminal entry.
 * @returns Whether it is durable. The store refuses it while the inbox has commands; the run then takes the commands.
 */
async function conclude(run: RunContext, terminalEntry: EntryBody): Promise<boolean> {
  if (await run.journal.conclude(terminalEntry)) return true
  await run.inbox?.take()
  return false
}
