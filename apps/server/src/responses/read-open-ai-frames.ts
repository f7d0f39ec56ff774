import type { FrameStream } from '@parley/agent-api'
import { invalidParameter } from '../problem/problem.ts'
import { findRun } from '../runs/find-run.ts'
import { priorEntries } from '../runs/prior-entries.ts'
import { watchRun } from '../runs/watch-run.ts'
import type { ServerContext } from '../state/server-context.ts'
import type { FramesQuery } from './read-agent-frames.ts'
import { givenFieldsOf, openAiResponseOf } from './serve-open-ai-response.ts'

/**
 * Returns the events of a response after a number.
 * @throws Problem 400 if the server no longer has the events after this number, 404 if the response is unknown.
 */
export async function readOpenAiFrames(server: ServerContext, { scope, id, after }: FramesQuery): Promise<FrameStream> {
  const frames = server.openAiResponses.find(scope, id)?.read(after)
  if (frames !== undefined) return frames
  const found = await findRun(server, scope, id)
  if (after > -1)
    throw invalidParameter(
      `starting_after: the events after ${after} are no longer available; omit it to get the whole response`,
    )
  return server.openAiResponses.readAgain(scope, id, async () => {
    const { record, fromSeq } = found
    const { runId, agent: model } = record
    const entries = await server.store.read(runId)
    const given = givenFieldsOf(entries)
    const prior = priorEntries(entries, fromSeq)
    const watch = () => watchRun(server, found)
    return openAiResponseOf(server, { id, scope, runId, fromSeq, prior, model, given, watch, resumed: true })
  })
}
