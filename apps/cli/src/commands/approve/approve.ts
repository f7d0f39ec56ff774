import type { AgentDecision } from '@parley/agent-api'
import { ParleyError } from '@parley/core'
import { Option, type Command } from 'commander'
import { askApproval, type UserDecision } from '../../ask/ask-approval.ts'
import { terminalPrompter } from '../../ask/prompter.ts'
import { withDatabaseFlag } from '../../flags/database-flag.ts'
import {
  modeOf,
  RUN_ARGUMENT,
  withAgentsFlag,
  withOutputFlags,
  type AgentsFlag,
  type OutputFlags,
} from '../../flags/run-flags.ts'
import { isOnServer, withServerFlag, type NamedServer, type ServerFlags } from '../../flags/server-flag.ts'
import { programName } from '../../program/program-name.ts'
import { withExamples } from '../../program/with-examples.ts'
import { placeOf } from '../../remote/open-runs.ts'
import { ageOf } from '../../render/age.ts'
import { oneLine } from '../../render/one-line.ts'
import type { Terminal } from '../../render/terminal.ts'
import type { Approvals } from './approvals.ts'

interface ApproveFlags extends OutputFlags, ServerFlags, AgentsFlag {
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
  withAgentsFlag(withOutputFlags(withDatabaseFlag(command)))
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
      process.exitCode = isOnServer(named)
        ? await approveOnServer(wanted, named, terminal)
        : await approve(wanted, { flags: named, terminal, approvals: await storedApprovals(named, terminal) })
    })
  withExamples(command, [
    ['approve', 'lists what is pending; in a terminal, asks about it'],
    ['approve last', 'approves the pending call of the newest run'],
    ['approve --server https://agent.example', 'lists what is pending on a server'],
    ['approve 01a2b3c4 --reject "Too expensive."', 'rejects it; the model reads the reason'],
  ])
}

type NamedFlags = ApproveFlags & { readonly command: string }

async function storedApprovals(flags: NamedFlags, terminal: Terminal): Promise<Approvals> {
  const { createStoredApprovals } = await import('./stored-approvals.ts')
  return createStoredApprovals(flags, terminal)
}

async function approveOnServer(
  wanted: string | undefined,
  flags: NamedFlags & NamedServer,
  terminal: Terminal,
): Promise<number> {
  const { isResponseId, openServerClient } = await import('../../remote/remote-options.ts')
  if (wanted !== undefined && isResponseId(wanted)) {
    const { remoteApprove } = await import('../../remote/remote-approve.ts')
    const { server, command } = flags
    const options = { client: openServerClient(flags), server, terminal, mode: modeOf(flags), command }
    return remoteApprove(wanted, toWireDecision(flags), options)
  }
  const { createServerApprovals } = await import('../../remote/server-approvals.ts')
  return approve(wanted, { flags, terminal, approvals: createServerApprovals(flags, terminal) })
}

interface Surroundings {
  readonly flags: NamedFlags
  readonly terminal: Terminal
  readonly approvals: Approvals
}

async function approve(wanted: string | undefined, { flags, terminal, approvals }: Surroundings): Promise<number> {
  if (wanted === undefined) return approvePending({ flags, terminal, approvals })
  return approvals.decide(await approvals.find(wanted), decisionOf(flags))
}

function toWireDecision({ reject, escalate }: Pick<ApproveFlags, 'reject' | 'escalate'>): AgentDecision {
  if (escalate !== undefined) return { escalate: { agent: escalate } }
  return reject === undefined ? { approve: true } : { approve: false, reason: reject }
}

function decisionOf({ reject, escalate }: Pick<ApproveFlags, 'reject' | 'escalate'>): UserDecision {
  if (escalate !== undefined) return { type: 'escalated', agent: escalate }
  return reject === undefined ? { type: 'approved' } : { type: 'rejected', reason: reject }
}

/** Lists the pending calls of all runs. In a terminal, asks about each one. */
async function approvePending({ flags, terminal, approvals }: Surroundings): Promise<number> {
  for (const name of ['reject', 'escalate'] as const) {
    if (flags[name] === undefined) continue
    const detail = `is required with --${name}; ${flags.command} approve lists the runs that wait`
    throw new ParleyError({ code: 'config-invalid', path: 'run', detail })
  }
  const found = await approvals.list()
  const [first] = found
  if (first === undefined) {
    terminal.out('No tool call waits for approval.\n')
    return 0
  }
  for (const { id, since, request } of found) {
    const call = oneLine(`${request.name} ${JSON.stringify(request.input)}`, (terminal.columns ?? 140) - 40)
    terminal.out(`${terminal.style('bold', id)}  ${ageOf(since, Date.now())}  ${call}\n`)
  }
  if (!terminal.isInteractive) {
    const [role] = first.request.roles ?? []
    const asRole = role === undefined || flags.role !== undefined ? '' : ` --role ${role}`
    terminal.out(`Decide: ${flags.command} approve ${first.id}${placeOf(flags)}${asRole} [--reject REASON]\n`)
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
    else await approvals.decide(pending, decision, options.always)
  }
  return 0
}
