import type { Entry, RunRecord, UserMessage } from '@parley/core'
import type { ServerContext } from '../state/server-context.ts'

/** Key in the journal's metadata for the client's id of the message that the run answers. */
export const MESSAGE_ID = 'messageId'

export interface AnswerQuery {
  readonly scope: string
  readonly sessionId: string
  /** The client's id of the message. */
  readonly messageId: string
  /**
   * The message, and the ids of the answers that the client shows. If given, an answer to other words is not found, and no
   * answer is found if the client shows the newest one. @default none
   */
  readonly resent?: { readonly input: UserMessage; readonly shownIds: readonly string[] } | undefined
}

/** Maximum number of runs that are searched, the newest first. */
const MAX_SEARCHED = 100

/** Finds the newest run of a session that answers a message. */
export async function findAnswer({ store }: ServerContext, query: AnswerQuery): Promise<RunRecord | undefined> {
  const { scope, sessionId, messageId, resent } = query
  if (resent !== undefined) {
    // Most messages follow the newest answer. For them the other runs are not read.
    const [newest] = await store.runs({ scope, sessionId, limit: 1 })
    if (newest === undefined || resent.shownIds.some(id => id.startsWith(newest.runId))) return undefined
  }
  for (const record of await store.runs({ scope, sessionId, limit: MAX_SEARCHED })) {
    const [first] = await store.read(record.runId, { limit: 1 })
    if (first?.type !== 'run.started' || first.metadata?.[MESSAGE_ID] !== messageId) continue
    if (resent === undefined) return record
    return isSame(resent.input, await store.read(record.runId)) ? record : undefined
  }
  return undefined
}

/** Whether the run answers the words of a message. */
function isSame({ content }: UserMessage, entries: readonly Entry[]): boolean {
  const asked = entries.find(entry => entry.type === 'message.appended' && entry.message.role === 'user')
  return asked?.type === 'message.appended' && JSON.stringify(asked.message.content) === JSON.stringify(content)
}
