import type { RunRecord } from '@parley/core'
import { toUiMessages, type UiMessage } from '@parley/encoders/ai-sdk-ui'
import type { ServerContext } from '../state/server-context.ts'
import { MESSAGE_ID } from './find-answer.ts'
import { answeredFrom, type SessionQuery } from './find-unfinished.ts'
import { describe } from './serve-protocol.ts'

/** Maximum number of runs that a request reads, the newest first. */
const MAX_RUNS = 1000

/**
 * Returns the messages of an AI SDK chat, as its page shows them: without answers that were generated again. An answer that is being
 * written is left out from where its stream begins.
 */
export async function chatMessages(server: ServerContext, query: SessionQuery): Promise<readonly UiMessage[]> {
  const runs = await server.store.runs({ ...query, limit: MAX_RUNS })
  return (await Promise.all(shownRuns(runs).map(run => messagesOf(server, run)))).flat()
}

/** The runs that the newest run of a session continues, and that run. `runs` are sorted newest first. */
function shownRuns(runs: readonly RunRecord[]): readonly RunRecord[] {
  const byId = new Map(runs.map(run => [run.runId, run]))
  const shown: RunRecord[] = []
  for (let run = runs[0]; run !== undefined; run = runBefore(run, byId)) {
    if (run.relation !== 'compaction') shown.unshift(run)
  }
  return shown
}

/** The run whose messages a run continues. A run that repeats another one begins where that one began. */
function runBefore(run: RunRecord, byId: ReadonlyMap<string, RunRecord>): RunRecord | undefined {
  const parent = run.parent === undefined ? undefined : byId.get(run.parent)
  return parent !== undefined && run.relation === 'rerun' ? runBefore(parent, byId) : parent
}

async function messagesOf({ store }: ServerContext, { runId, status }: RunRecord): Promise<readonly UiMessage[]> {
  const entries = await store.read(runId)
  const [first] = entries
  const messageId = first?.type === 'run.started' ? first.metadata?.[MESSAGE_ID] : undefined
  const inputId = typeof messageId === 'string' ? messageId : undefined
  const shown = toUiMessages(runId, entries, { inputId, describe })
  if (status !== 'running') return shown
  const earlier = entries.slice(0, answeredFrom(entries) - 1)
  const answer = toUiMessages(runId, earlier, { describe }).filter(({ role }) => role === 'assistant')
  return [...shown.filter(({ role }) => role === 'user'), ...answer]
}
