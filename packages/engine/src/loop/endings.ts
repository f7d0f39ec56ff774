import type { Outcome } from '@parley/core'
import type { ActionOf } from '../journal/decide.ts'
import type { RunContext } from '../run-context/run-context.ts'
import type { EntryBody } from '../run-context/run-journal.ts'
import type { Suspended } from '../run-context/run-result.ts'
import { askApprovers } from '../steps/approval/ask-approvers.ts'

/** Records the outcome of the run. Resolves to `undefined` if a command arrived first: the run then continues. */
export async function end(run: RunContext, { outcome }: ActionOf<'end'>): Promise<Outcome | undefined> {
  const { usage, cost } = run.state
  if (run.state.outcome === undefined) {
    const ended = { type: 'run.ended' as const, outcome, usage, ...(cost === undefined ? {} : { cost }) }
    return (await conclude(run, ended)) ? outcome : undefined
  }
  await run.journal.commit()
  return outcome
}

/** Asks the approval handler, and suspends the run if it decides nothing. Resolves to `undefined` if the run continues. */
export async function awaitDecision(
  run: RunContext,
  action: ActionOf<'await-decision'>,
): Promise<Suspended | undefined> {
  if (await askApprovers(run, action.approvals)) return undefined
  const approvals = [...action.approvals]
  const concluded = await conclude(run, { type: 'run.suspended', approvals })
  return concluded ? { status: 'suspended', approvals } : undefined
}

/** Leaves the run to the process that resumes it. */
export async function release(run: RunContext, { approvals }: ActionOf<'release'>): Promise<Suspended> {
  run.journal.record({ type: 'run.suspended', approvals: [...approvals], reason: 'shutdown' })
  await run.journal.commit()
  return { status: 'suspended', approvals, reason: 'shutdown' }
}

/** Whether the terminal entry became durable. The store refuses it while the inbox has commands, which are taken then. */
async function conclude(run: RunContext, terminalEntry: EntryBody): Promise<boolean> {
  if (await run.journal.conclude(terminalEntry)) return true
  await run.inbox?.take()
  return false
}
