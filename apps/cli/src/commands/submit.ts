import { userInfo } from 'node:os'
import { ParleyError, toolError, type ClientCall, type EntryOf, type Json } from '@parley/core'
import type { Command } from 'commander'
import { withDatabaseFlag } from '../flags/database-flag.ts'
import {
  modeOf,
  RUN_ARGUMENT,
  withAgentsFlag,
  withOutputFlags,
  type AgentsFlag,
  type OutputFlags,
} from '../flags/run-flags.ts'
import { isOnServer, withServerFlag, type NamedServer, type ServerFlags } from '../flags/server-flag.ts'
import { programName } from '../program/program-name.ts'
import { withExamples } from '../program/with-examples.ts'
import type { Terminal } from '../render/terminal.ts'
import { openExistingStore } from '../store/open-store.ts'
import { readRun } from '../store/read-run.ts'
import { runRecordedAgent } from './run-recorded-agent.ts'

interface SubmitFlags extends OutputFlags, ServerFlags, AgentsFlag {
  readonly db: string
  readonly call?: string
  readonly error?: boolean
}

/** Defines the command `parley submit RUN RESULT`. */
export function defineSubmitCommand(command: Command, terminal: Terminal): void {
  command
    .description(
      'Gives a run the result of a tool call that a client executes, and resumes the run. A result that is a JSON object ' +
        'or array counts as data, any other as text. The first result of a call counts.',
    )
    .argument('<run>', RUN_ARGUMENT)
    .argument('<result>', 'the result, or with --error the reason why there is none')
  withServerFlag(command, ['json', 'quiet', 'call', 'error'])
  withAgentsFlag(withOutputFlags(withDatabaseFlag(command)))
    .option('--call <id>', 'id of the call, if the run waits for several (default: the first one)')
    .option('--error', 'the call failed; the model receives the text as an error')
    .action(async (wanted: string, result: string, flags: SubmitFlags) => {
      const named = { ...flags, command: programName(command) }
      process.exitCode = isOnServer(named)
        ? await submitOnServer({ wanted, result }, named, terminal)
        : await submit({ wanted, result }, named, terminal)
    })
  withExamples(command, [
    ['submit last Bern', 'gives the newest run its result'],
    ['submit 01a2b3c4 \'{"city":"Bern"}\' --call call_2', 'gives a certain call a result that is data'],
    ['submit last "The user refused." --error', 'reports that the call failed'],
  ])
}

interface Submitted {
  readonly wanted: string
  readonly result: string
}

type NamedFlags = SubmitFlags & { readonly command: string }

async function submitOnServer(
  { wanted, result }: Submitted,
  flags: NamedFlags & NamedServer,
  terminal: Terminal,
): Promise<number> {
  const [{ actOnServer }, { openRunsClient }] = await Promise.all([
    import('../remote/act-on-server.ts'),
    import('../remote/remote-options.ts'),
  ])
  const { call: wantedCall, error = false } = flags
  return actOnServer({ wanted, flags, terminal }, async (runtime, { runId }) => {
    const { clientCalls } = await openRunsClient(flags).run(runId)
    const call = callOf(clientCalls, runId, wantedCall)
    const output = error ? result : toData(result)
    return runtime.submit(call.runId, { callId: call.callId, output, isError: error })
  })
}

async function submit(
  { wanted, result }: Submitted,
  { db, command, call, agents, error = false, ...output }: NamedFlags,
  terminal: Terminal,
): Promise<number> {
  const { started, runId, callId } = await findCall(db, wanted, call)
  const by = { id: userInfo().username, roles: [] }
  const options = { started, agents, mode: modeOf(output), database: db, command }
  return runRecordedAgent(options, terminal, ({ runtime }) =>
    runtime.submitToolResult(runId, callId, error ? toolError(result) : toData(result), { by }),
  )
}

interface FoundCall {
  /** The run that made the call: the named run, or a child run of it. */
  readonly runId: string
  readonly callId: string
}

async function findCall(
  db: string,
  wanted: string,
  callId: string | undefined,
): Promise<FoundCall & { readonly started: EntryOf<'run.started'> }> {
  const { createRuntime } = await import('@parley/engine')
  await using store = await openExistingStore(db)
  const { record, started } = await readRun(store, wanted)
  const { runId } = record
  const { clientCalls } = await createRuntime({ store }).pending(runId)
  return { started, ...callOf(clientCalls, runId, callId) }
}

/** Finds the call that a result is for. @throws ParleyError `config-invalid` if the run waits for none. */
function callOf(clientCalls: readonly ClientCall[], runId: string, callId: string | undefined): FoundCall {
  const found = callId === undefined ? clientCalls[0] : clientCalls.find(each => each.callId === callId)
  // The runtime says why an unknown or settled call takes no result.
  if (found === undefined && callId !== undefined) return { runId, callId }
  if (found === undefined) {
    const detail = 'waits for no result of a client'
    throw new ParleyError({ code: 'config-invalid', path: `run '${runId}'`, detail })
  }
  return { runId: found.runId ?? runId, callId: found.callId }
}

/** Converts the text of a result: JSON of an object or an array becomes data, as in the protocols of servers. */
function toData(text: string): Json {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
