import { messageText, ParleyError, toolError, type ClientCall, type Store } from '@parley/core'
import type { Run, Runtime, ToolResult } from '@parley/engine'
import type { CallFate } from '../process/mark.ts'
import type { RunNames } from './run-names.ts'

export interface DriveOptions {
  readonly runtime: Runtime
  readonly store: Store
  readonly agent: string
  readonly input: string
  readonly runId: string
  readonly submit: (call: ClientCall) => unknown
}

/** Starts or resumes a run and drives it to its end: approves what asks, and submits what waits for a client. */
export async function driveRun(options: DriveOptions): Promise<string> {
  const { runtime, store, agent, input, runId } = options
  for (;;) {
    const record = await store.run(runId)
    // A process that dies before the first append has accepted nothing, so its client starts the run again.
    if (record === undefined) await runtime.run(agent, input, { runId, sessionId: runId }).result
    else if (record.status === 'running') await (await runtime.resume(runId)).result
    else if (record.status === 'suspended') await (await answer(options)).result
    else return record.status
  }
}

async function answer({ runtime, runId, submit }: DriveOptions): Promise<Run> {
  const { approvals, clientCalls } = await runtime.pending(runId)
  const [approval] = approvals
  if (approval !== undefined) {
    const by = { id: 'crash-test', roles: approval.roles ?? [] }
    return runtime.decide(runId, approval.approvalId, { decision: { type: 'approved' }, by })
  }
  const [call] = clientCalls
  if (call === undefined) return runtime.resume(runId)
  const result = (await submit(call)) as ToolResult
  const give = (given: ToolResult): Promise<Run> => runtime.submitToolResult(call.runId ?? runId, call.callId, given)
  return give(result).catch((error: unknown) => {
    if (!ParleyError.is(error, 'request-invalid')) throw error
    return give(toolError(`The result does not fit the tool: export submit() with one for ${call.name}.`))
  })
}

/** Reads from the journals how each call of the tree of runs ended. */
export async function readFates(store: Store, runId: string, names: RunNames): Promise<readonly CallFate[]> {
  const fates: CallFate[] = []
  for (const entry of await store.read(runId)) {
    if (entry.type === 'agent.started') fates.push(...(await readFates(store, entry.childRunId, names)))
    if (entry.type !== 'tool.ended') continue
    const error = entry.error?.code ?? (entry.message.isError === true ? 'tool-failed' : undefined)
    fates.push({ id: `${names.nameOf(runId)}/${entry.callId}`, text: messageText(entry.message), error })
  }
  return fates
}
