import { userInfo } from 'node:os'
import { ParleyError, type ApprovalDecision } from '@parley/core'
import { loadRun, openRequests } from '@parley/engine'
import { Option, type Command } from 'commander'
import { fromMetadata, withDatabase } from '../flags/agent-flags.ts'
import { findRun } from '../store/find-run.ts'
import { openComposition } from '../compose/open-composition.ts'
import { openExistingStore } from '../store/open-existing-store.ts'
import { showRun } from '../render/show-run.ts'
import type { Terminal } from '../render/terminal.ts'

interface ApproveFlags {
  readonly db: string
  readonly reject?: string
  readonly escalate?: string
  readonly role?: string
}

/** `parley approve [RUN]` */
export function addApproveCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('approve')
    .summary('let a waiting tool call run, refuse it, or let another agent go on')
    .description('Decides about the first tool call a suspended run waits with, and goes on with the run.')
    .argument('[run]', "id of the run, the end of one, or 'last'", 'last')
  withDatabase(command)
    .option('--reject <reason>', 'refuse the call; the model is told the reason')
    .addOption(
      new Option('--escalate <agent>', 'run no call: let another agent go on with the run').conflicts('reject'),
    )
    .option('--role <role>', 'the role you decide in, where the request names roles')
    .action(async (wanted: string, flags: ApproveFlags) => {
      process.exitCode = await approve(wanted, { ...flags, command: program.name() }, terminal)
    })
}

async function approve(
  wanted: string,
  { db, role, command, ...flags }: ApproveFlags & { readonly command: string },
  terminal: Terminal,
): Promise<number> {
  const { runId, metadata, request } = await look(db, wanted)
  await using composition = await openComposition(fromMetadata(metadata, {}), db)
  const decision = decisionOf(flags)
  const by = { id: userInfo().username, roles: role === undefined ? [] : [role] }
  const run = await composition.runtime.decide(runId, request.approvalId, { decision, by })
  return await showRun(run, terminal, { mode: 'text', database: db, command })
}

function decisionOf({ reject, escalate }: Pick<ApproveFlags, 'reject' | 'escalate'>): ApprovalDecision {
  if (escalate !== undefined) return { type: 'escalated', agent: escalate }
  return reject === undefined ? { type: 'approved' } : { type: 'rejected', reason: reject }
}

async function look(db: string, wanted: string) {
  await using store = await openExistingStore(db)
  const { runId } = await findRun(store, wanted)
  const [started] = await store.read(runId)
  const { calls = [] } = await loadRun(store, runId)
  const [request] = calls.flatMap(openRequests)
  if (started?.type !== 'run.started' || request === undefined) {
    throw new ParleyError({ code: 'approval-unknown', runId, approvalId: 'any' })
  }
  return { runId, metadata: started.metadata, request }
}
