import type { RunRecord } from '@parley/core'
import type { ServerContext } from '../state/server-context.ts'

/** Key in the journal's metadata for the client's id of the message that the run answers. */
export const MESSAGE_ID = 'messageId'

export interface AnswerQuery {
  readonly scope: string
  readonly sessionId: string
  /** The client's id of the message. */
  readonly messageId: string
}

/** Maximum number of runs that are searched, the newest first. */
const MAX_SEARCHED = 100

/** Finds the newest run of a session that answers a message. */
export async function findAnswer({ store }: ServerContext, query: AnswerQuery): Promise<RunRecord | undefined> {
  const { scope, sessionId, messageId } = query
  for (const record of await store.runs({ scope, sessionId, limit: MAX_SEARCHED })) {
    const [first] = await store.read(record.runId, { limit: 1 })
    if (first?.type === 'run.started' && first.metadata?.[MESSAGE_ID] === messageId) return record
  }
  return undefined
}
