import { messageText, ParleyError } from '@parley/core'
import type { Command } from 'commander'
import { withDatabaseFlag } from '../flags/database-flag.ts'
import { modeOf, RUN_ARGUMENT, withRecordedAgentFlags, type RecordedAgentFlags } from '../flags/run-flags.ts'
import { describeBusyRun } from '../render/busy-run.ts'
import { isOnServer, withServerFlag, type NamedServer, type ServerFlags } from '../flags/server-flag.ts'
import { placeOf } from '../remote/open-runs.ts'
import { ageOf } from '../render/age.ts'
import { continueHint } from '../render/continue-hint.ts'
import { programName } from '../program/program-name.ts'
import { withExamples } from '../program/with-examples.ts'
import { standingOf } from '../render/run-standing.ts'
import type { Terminal } from '../render/terminal.ts'
import { openExistingStore } from '../store/open-store.ts'
import { onDatabase } from '../store/database.ts'
import { readRun, readShortIds } from '../store/read-run.ts'
import type { RunReader } from '../store/run-reader.ts'
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
        'safe. A server resumes its runs itself: with --server, a run or response that the server drives is printed from its ' +
        'start.',
    )
    .argument('[run]', RUN_ARGUMENT, 'last')
  withServerFlag(command, ['json', 'quiet'])
  withRecordedAgentFlags(withDatabaseFlag(command))
    .option('--config <file>', 'configuration file to use instead of the one that the run was started with')
    .option('--force', 'take the run from another process that still seems to drive it')
    .action(async (wanted: string, flags: Omit<ResumeFlags, 'command'>) => {
      const named = { ...flags, command: programName(command) }
      process.exitCode = isOnServer(named)
        ? await resumeOnServer(wanted, named, terminal)
        : await resume(wanted, named, terminal)
    })
  withExamples(command, [
    ['resume', 'resumes the newest run'],
    ['resume 01a2b3c4 --force', 'takes over a run that another process drives'],
  ])
}

async function resumeOnServer(wanted: string, flags: ResumeFlags & NamedServer, terminal: Terminal): Promise<number> {
  const { isResponseId, openRunsClient, openServerClient } = await import('../remote/remote-options.ts')
  const { server, command } = flags
  if (isResponseId(wanted)) {
    const { converse } = await import('../remote/converse.ts')
    const client = openServerClient(flags)
    const options = { client, server, terminal, mode: modeOf(flags), command }
    return (await converse(await client.resume(wanted), options)).exitCode
  }
  const { createServerReader } = await import('../remote/server-reader.ts')
  const state = await readState(createServerReader(openRunsClient(flags)), wanted)
  const settled = reportSettled(state, { command, place: placeOf(flags), terminal })
  if (settled !== undefined) return settled
  const { actOnServer } = await import('../remote/act-on-server.ts')
  return actOnServer({ wanted: state.runId, flags, terminal }, (runtime, { runId }) => runtime.resume(runId))
}

async function resume(
  wanted: string,
  { db, force, json, quiet, command, agents, ...changes }: ResumeFlags,
  terminal: Terminal,
): Promise<number> {
  const state = await readStoredState(db, wanted)
  const settled = reportSettled(state, { command, place: onDatabase(db), terminal })
  if (settled !== undefined) return settled
  const { started, runId, id, updatedAt } = state
  const options = { started, changes, agents, mode: modeOf({ json, quiet }), database: db, command }
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

interface Surroundings {
  readonly command: string
  readonly place: string
  readonly terminal: Terminal
}

/** Prints how a run stands that cannot be resumed. @returns The exit code, or `undefined` for a run that can be resumed. */
function reportSettled(
  { runId, id, status, answer, isReleased, words, pending }: RunStanding,
  { command, place, terminal }: Surroundings,
): number | undefined {
  if (status === 'running' || isReleased) return undefined
  if (status === 'suspended') {
    const hint = continueHint(pending, name => `${command} ${name} ${id}${place}`)
    terminal.out(`Run ${id} ${words}${hint && ` · ${hint}`}\n`)
    return 3
  }
  terminal.out(`Run ${runId} has already ended: ${status}.\n${answer === '' ? '' : `\n${answer}\n`}`)
  return 0
}

async function readStoredState(db: string, wanted: string): Promise<RunStanding> {
  await using store = await openExistingStore(db)
  return await readState(store, wanted)
}

type RunStanding = Awaited<ReturnType<typeof readState>>

async function readState(reader: RunReader, wanted: string) {
  const { record, entries, started } = await readRun(reader, wanted)
  const { runId, status, updatedAt } = record
  const { loadRun } = await import('@parley/engine/journal')
  const id = (await readShortIds(reader, [record])).get(runId) ?? runId
  const { transcript } = await loadRun(reader, runId)
  const answer = transcript.last?.role === 'assistant' ? messageText(transcript.last) : ''
  const last = entries.at(-1)
  // A process that shuts down, such as `parley serve`, releases its unfinished runs.
  const isReleased = last?.type === 'run.suspended' && last.reason === 'shutdown'
  const { words } = standingOf(status, entries)
  const pending = last?.type === 'run.suspended' ? last : undefined
  const { approvals = [], clientCalls = [] } = pending ?? {}
  return { started, runId, id, status, updatedAt, answer, isReleased, words, pending: { approvals, clientCalls } }
}
