import { userInfo } from 'node:os'
import { ParleyError, type ApprovalDecision } from '@parley/core'
import { loadRun, openRequests } from '@parley/engine'
import { Option, type Command } from 'commander'
import { withDatabaseFlag } from '../flags/database-flag.ts'
import { RUN_ARGUMENT } from '../flags/run-flags.ts'
import type { Terminal } from '../render/terminal.ts'
import { openExistingStore } from '../store/open-store.ts'
import { readRun } from '../store/read-run.ts'
import { runRecordedAgent } from './run-recorded-agent.ts'

interface ApproveFlags {
  readonly db: string
  readonly reject?: string
  readonly escalate?: string
  readonly role?: string
}

/** Adds the command `parley approve [RUN]`. */
export function addApproveCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('approve')
    .summary('approve or reject a pending tool call, or escalate it')
    .description(
      'Decides about the first pending tool call of a run that is suspended for approval, and resumes the run. Without ' +
        'options, the call is approved.',
    )
    .argument('[run]', RUN_ARGUMENT, 'last')
  withDatabaseFlag(command)
    .option('--reject <reason>', 'reject the call; the model receives the reason')
    .addOption(
      new Option(
        '--escalate <agent>',
        'name of an agent that takes over the run; the pending call does not run',
      ).conflicts('reject'),
    )
    .option('--role <role>', 'your role, if the approval requires one')
    .action(async (wanted: string, flags: ApproveFlags) => {
      process.exitCode = await approve(wanted, { ...flags, command: program.name() }, terminal)
    })
}

async function approve(
  wanted: string,
  { db, role, command, ...flags }: ApproveFlags & { readonly command: string },
  terminal: Terminal,
): Promise<number> {
  const { started, runId, request } = await findPending(db, wanted)
  const decision = decisionOf(flags)
  const by = { id: userInfo().username, roles: role === undefined ? [] : [role] }
  return runRecordedAgent({ started, mode: 'text', database: db, command }, terminal, ({ runtime }) =>
    runtime.decide(runId, request.approvalId, { decision, by }),
  )
}

function decisionOf({ reject, escalate }: Pick<ApproveFlags, 'reject' | 'escalate'>): ApprovalDecision {
  if (escalate !== undefined) return { type: 'escalated', agent: escalate }
  return reject === undefined ? { type: 'approved' } : { type: 'rejected', reason: reject }
}

async function findPending(db: string, wanted: string) {
  await using store = await openExistingStore(db)
  const { record, started } = await readRun(store, wanted)
  const { runId } = record
  const { calls = [] } = await loadRun(store, runId)
  const [request] = calls.flatMap(openRequests)
  if (request === undefined) throw new ParleyError({ code: 'approval-unknown', runId, approvalId: 'any' })
  return { started, runId, request }
}
