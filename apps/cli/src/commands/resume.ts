import { messageText, ParleyError } from '@parley/core'
import type { Command } from 'commander'
import { withDatabaseFlag } from '../flags/database-flag.ts'
import { modeOf, RUN_ARGUMENT, withRecordedAgentFlags, type RecordedAgentFlags } from '../flags/run-flags.ts'
import { describeBusyRun } from '../render/busy-run.ts'
import { isOnServer, withServerFlag, type NamedServer, type ServerFlags } from '../flags/server-flag.ts'
import { ageOf } from '../render/age.ts'
import { continueHint } from '../render/continue-hint.ts'
import { programName } from '../program/program-name.ts'
import { withExamples } from '../program/with-examples.ts'
import { standingOf } from '../render/run-standing.ts'
import type { Terminal } from '../render/terminal.ts'
import { openExistingStore } from '../store/open-store.ts'
import { onDatabase } from '../store/database.ts'
import { readRun, readShortIds } from '../store/read-run.ts'
import { runRecordedAgent } from './run-recorded-agent.ts'

interface ResumeFlags extends RecordedAgentFlags, ServerFlags {
  /** How the user calls the CLI, for example `parley`. It appears in hints. */
  readonly command: string
  readonly force?: boolean
  readonly config?: string
}

/** Defines the command `parley resume [RUN]`. */
export function defineResumeCommand(command: Command, terminal: Terminal): void {
  command
    .description(
      'Resumes a run that a crash, a kill or a shutdown interrupted, with the agent that it was started with. Finished ' +
        'tool calls do not run again. A call without a recorded result runs again only if its tool declares that this is ' +
        'safe. With --server, prints a response from its start: the server resumes its runs itself.',
    )
    .argument('[run]', RUN_ARGUMENT, 'last')
  withServerFlag(command, ['json', 'quiet'])
  withRecordedAgentFlags(withDatabaseFlag(command))
    .option('--config <file>', 'configuration file to use instead of the one that the run was started with')
    .option('--force', 'take the run from another process that still seems to drive it')
    .action(async (wanted: string, flags: Omit<ResumeFlags, 'command'>) => {
      const named = { ...flags, command: programName(command) }
      process.exitCode = isOnServer(named)
        ? await followOnServer(wanted, named, terminal)
        : await resume(wanted, named, terminal)
    })
  withExamples(command, [
    ['resume', 'resumes the newest run'],
    ['resume 01a2b3c4 --force', 'takes over a run that another process drives'],
  ])
}

async function followOnServer(wanted: string, flags: ResumeFlags & NamedServer, terminal: Terminal): Promise<number> {
  const [{ converse }, { openServerClient, toResponseId }] = await Promise.all([
    import('../remote/converse.ts'),
    import('../remote/remote-options.ts'),
  ])
  const { server, command } = flags
  const client = openServerClient(flags)
  const stream = await client.resume(toResponseId(wanted))
  return (await converse(stream, { client, server, terminal, mode: modeOf(flags), command })).exitCode
}

async function resume(
  wanted: string,
  { db, force, json, quiet, command, ...changes }: ResumeFlags,
  terminal: Terminal,
): Promise<number> {
  const { started, runId, id, status, updatedAt, answer, isReleased, words, pending } = await readState(db, wanted)
  if (status === 'suspended' && !isReleased) {
    const hint = continueHint(pending, name => `${command} ${name} ${id}${onDatabase(db)}`)
    terminal.out(`Run ${id} ${words}${hint && ` · ${hint}`}\n`)
    return 3
  }
  if (status !== 'running' && !isReleased) {
    terminal.out(`Run ${runId} has already ended: ${status}.\n${answer === '' ? '' : `\n${answer}\n`}`)
    return 0
  }
  const options = { started, changes, mode: modeOf({ json, quiet }), database: db, command }
  try {
    return await runRecordedAgent(options, terminal, ({ runtime }) => runtime.resume(runId, { force }))
  } catch (error) {
    if (!ParleyError.is(error, 'run-busy')) throw error
    const now = Date.now()
    terminal.error(
      `parley: ${describeBusyRun({ ...error.info, runId: id }, now)} Newest entry: ${ageOf(updatedAt, now)}. `,
    )
    terminal.error(`Wait, or take it over: ${command} resume ${id}${onDatabase(db)} --force\n`)
    return 2
  }
}

async function readState(db: string, wanted: string) {
  await using store = await openExistingStore(db)
  const { record, entries, started } = await readRun(store, wanted)
  const { runId, status, updatedAt } = record
  const { loadRun } = await import('@parley/engine')
  const id = (await readShortIds(store, [record])).get(runId) ?? runId
  const { transcript } = await loadRun(store, runId)
  const answer = transcript.last?.role === 'assistant' ? messageText(transcript.last) : ''
  const last = entries.at(-1)
  // A process that shuts down, such as `parley serve`, releases its unfinished runs.
  const isReleased = last?.type === 'run.suspended' && last.reason === 'shutdown'
  const { words } = standingOf(status, entries)
  const pending = last?.type === 'run.suspended' ? last : undefined
  const { approvals = [], clientCalls = [] } = pending ?? {}
  return { started, runId, id, status, updatedAt, answer, isReleased, words, pending: { approvals, clientCalls } }
}
