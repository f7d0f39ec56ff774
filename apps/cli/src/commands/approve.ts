import { userInfo } from 'node:os'
import type { AgentDecision } from '@parley/agent-api'
import { ParleyError, type ApprovalDecision, type ApprovalRequest, type EntryOf, type Store } from '@parley/core'
import { Option, type Command } from 'commander'
import { askApproval } from '../ask/ask-approval.ts'
import { terminalPrompter } from '../ask/prompter.ts'
import { withDatabaseFlag } from '../flags/database-flag.ts'
import { modeOf, RUN_ARGUMENT, withOutputFlags, type OutputFlags } from '../flags/run-flags.ts'
import { isOnServer, withServerFlag, type NamedServer, type ServerFlags } from '../flags/server-flag.ts'
import { programName } from '../program/program-name.ts'
import { withExamples } from '../program/with-examples.ts'
import { ageOf } from '../render/age.ts'
import { oneLine } from '../render/one-line.ts'
import type { Terminal } from '../render/terminal.ts'
import { openExistingStore } from '../store/open-store.ts'
import { readRun, readShortIds } from '../store/read-run.ts'
import { runRecordedAgent } from './run-recorded-agent.ts'

interface ApproveFlags extends OutputFlags, ServerFlags {
  readonly db: string
  readonly reject?: string
  readonly escalate?: string
  readonly role?: string
}

/** Defines the command `parley approve [RUN]`. */
export function defineApproveCommand(command: Command, terminal: Terminal): void {
  command
    .description(
      'Decides about the first pending tool call of a run, and resumes the run. Without options, the call is approved. ' +
        'Without a run, lists the calls that are pending and, in a terminal, asks about each of them.',
    )
    .argument('[run]', `${RUN_ARGUMENT} (default: list what is pending)`)
  withServerFlag(command, ['json', 'quiet', 'reject', 'escalate'])
  withOutputFlags(withDatabaseFlag(command))
    .option('--reject <reason>', 'reject the call; the model receives the reason')
    .addOption(
      new Option(
        '--escalate <agent>',
        'name of an agent that takes over the run; the pending call does not run',
      ).conflicts('reject'),
    )
    .option('--role <role>', 'your role, if the approval requires one')
    .action(async (wanted: string | undefined, flags: ApproveFlags) => {
      const named = { ...flags, command: programName(command) }
      if (isOnServer(named)) process.exitCode = await approveOnServer(wanted, named, terminal)
      else if (wanted === undefined) process.exitCode = await approvePending(named, terminal)
      else process.exitCode = await approve(wanted, named, terminal)
    })
  withExamples(command, [
    ['approve', 'lists what is pending; in a terminal, asks about it'],
    ['approve last', 'approves the pending call of the newest run'],
    ['approve 01a2b3c4 --reject "Too expensive."', 'rejects it; the model reads the reason'],
  ])
}

type NamedFlags = ApproveFlags & { readonly command: string }

async function approveOnServer(
  wanted: string | undefined,
  flags: NamedFlags & NamedServer,
  terminal: Terminal,
): Promise<number> {
  const [{ openServerClient, toResponseId }, { remoteApprove }] = await Promise.all([
    import('../remote/remote-options.ts'),
    import('../remote/remote-approve.ts'),
  ])
  const { server, command } = flags
  const options = { client: openServerClient(flags), server, terminal, mode: modeOf(flags), command }
  return remoteApprove(toResponseId(wanted), toWireDecision(flags), options)
}

async function approve(wanted: string, flags: NamedFlags, terminal: Terminal): Promise<number> {
  const pending = await findPending(flags.db, wanted)
  return decide(pending, decisionOf(flags), { flags, terminal })
}

/** A call that waits for a decision, with the first entry of its run. */
interface PendingCall {
  readonly runId: string
  readonly started: EntryOf<'run.started'>
  readonly request: ApprovalRequest
}

interface Surroundings {
  readonly flags: NamedFlags
  readonly terminal: Terminal
  /** Tools whose calls are approved without a question. @default none yet */
  readonly always?: Set<string> | undefined
}

async function decide(
  { started, runId, request }: PendingCall,
  decision: ApprovalDecision,
  { flags: { db, role, command, ...output }, terminal, always }: Surroundings,
): Promise<number> {
  const by = { id: userInfo().username, roles: role === undefined ? [] : [role] }
  const options = { started, mode: modeOf(output), database: db, command, role, always }
  return runRecordedAgent(options, terminal, ({ runtime }) =>
    runtime.decide(runId, request.approvalId, { decision, by }),
  )
}

function toWireDecision({ reject, escalate }: Pick<ApproveFlags, 'reject' | 'escalate'>): AgentDecision {
  if (escalate !== undefined) return { escalate: { agent: escalate } }
  return reject === undefined ? { approve: true } : { approve: false, reason: reject }
}

function decisionOf({ reject, escalate }: Pick<ApproveFlags, 'reject' | 'escalate'>): ApprovalDecision {
  if (escalate !== undefined) return { type: 'escalated', agent: escalate }
  return reject === undefined ? { type: 'approved' } : { type: 'rejected', reason: reject }
}

async function findPending(db: string, wanted: string): Promise<PendingCall> {
  const { createRuntime } = await import('@parley/engine')
  await using store = await openExistingStore(db)
  const { record, started } = await readRun(store, wanted)
  const { runId } = record
  const { approvals, clientCalls } = await createRuntime({ store }).pending(runId)
  const [request] = approvals
  if (request === undefined) {
    const hint = clientCalls.length > 0 ? "; it waits for the result of a client: see 'submit --help'" : ''
    throw new ParleyError({ code: 'config-invalid', path: `run '${runId}'`, detail: `waits for no approval${hint}` })
  }
  return { started, runId, request }
}

/** Lists the pending calls of all runs. In a terminal, asks about each one. */
async function approvePending(flags: NamedFlags, terminal: Terminal): Promise<number> {
  for (const name of ['reject', 'escalate'] as const) {
    if (flags[name] === undefined) continue
    const detail = `is required with --${name}; ${flags.command} approve lists the runs that wait`
    throw new ParleyError({ code: 'config-invalid', path: 'run', detail })
  }
  const found = await listPending(flags.db, terminal)
  const [first] = found
  if (first === undefined) {
    terminal.out('No tool call waits for approval.\n')
    return 0
  }
  if (!terminal.isInteractive) {
    terminal.out(`Decide: ${flags.command} approve ${first.id} [--reject REASON]\n`)
    return 0
  }
  const options = { terminal, prompter: terminalPrompter(terminal), always: new Set<string>() }
  const asked = new Set<string>()
  for (const { id, ...pending } of found) {
    // The run that continues asks about its other calls.
    if (asked.has(pending.runId)) continue
    asked.add(pending.runId)
    const decision = await askApproval(pending.request, options)
    if (decision === undefined) terminal.out(`Run ${id} still waits.\n`)
    else await decide(pending, decision, { flags, terminal, always: options.always })
  }
  return 0
}

interface ListedCall extends PendingCall {
  /** Short id of the run. */
  readonly id: string
}

async function listPending(db: string, terminal: Terminal): Promise<readonly ListedCall[]> {
  const { createRuntime } = await import('@parley/engine')
  await using store = await openExistingStore(db)
  const runtime = createRuntime({ store })
  const found: ListedCall[] = []
  for (const record of await unfinishedRuns(store)) {
    const { runId, updatedAt } = record
    const { approvals } = await runtime.pending(runId)
    if (approvals.length === 0) continue
    const { started } = await readRun(store, runId)
    const id = (await readShortIds(store, [record])).get(runId) ?? runId
    for (const request of approvals) {
      const call = oneLine(`${request.name} ${JSON.stringify(request.input)}`, (terminal.columns ?? 140) - 40)
      terminal.out(`${terminal.style('bold', id)}  ${ageOf(updatedAt, Date.now())}  ${call}\n`)
      found.push({ id, runId, started, request })
    }
  }
  return found
}

const LISTED = 100

/**
 * Returns the unfinished root runs. A running run counts too: it may work on one call while another call waits for a
 * decision.
 */
async function unfinishedRuns(store: Store) {
  const [suspended, running] = await Promise.all(
    (['suspended', 'running'] as const).map(status => store.runs({ scope: 'default', status, limit: LISTED })),
  )
  const all = [...(suspended ?? []), ...(running ?? [])]
  // A pending call of a child run is listed with its root run.
  return all.filter(({ relation }) => relation !== 'sub-agent')
}
