import { ParleyError } from '@parley/core'
import type { CompactRequest, ForkRequest, RunsClient, SubmitRequest } from '@parley/runs-api'
import type { RunAnswers } from '../ask/answer-requests.ts'
import type { ShownRun } from '../render/show-run.ts'
import { followServerRun } from './server-run.ts'

/** Acts on the runs of a server, and follows them. */
export interface ServerRuntime extends RunAnswers {
  fork(runId: string, request: ForkRequest): Promise<ShownRun>
  compact(runId: string, request: CompactRequest): Promise<ShownRun>
  /** Resumes a run. Follows it from its start if the server drives it already. */
  resume(runId: string): Promise<ShownRun>
  submit(runId: string, request: SubmitRequest): Promise<ShownRun>
}

export function createServerRuntime(client: RunsClient): ServerRuntime {
  /** Follows the root run of a run from where it stands before `act`. */
  const followAfter = async (runId: string, act: () => Promise<unknown>): Promise<ShownRun> => {
    const { rootRunId, seq } = await client.run(runId)
    const before = rootRunId === runId ? seq : (await client.run(rootRunId)).seq
    await act()
    return followServerRun(client, rootRunId, before)
  }
  const submit = (runId: string, request: SubmitRequest): Promise<ShownRun> =>
    followAfter(runId, () => client.submit(runId, request))
  return {
    fork: async (runId, request) => followServerRun(client, (await client.fork(runId, request)).runId),
    compact: async (runId, request) => followServerRun(client, (await client.compact(runId, request)).runId),
    resume: async runId => {
      try {
        return await followAfter(runId, () => client.resume(runId))
      } catch (error) {
        const isBusy = ParleyError.is(error, 'agent-request-failed') && error.info.status === 409
        if (!isBusy) throw error
        return followServerRun(client, runId)
      }
    },
    decide: (runId, approvalId, { decision }) =>
      followAfter(runId, () => client.decide(approvalId, { runId, decision })),
    submit,
    submitToolResult: (runId, callId, output) => submit(runId, { callId, output }),
  }
}
