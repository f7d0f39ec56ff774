import type { Entry, UserPart } from '@parley/core'
import { invalidParameter } from '../../problem/problem.ts'

type InputItem = Readonly<Record<string, unknown>> & { readonly id: string }

/** Converts the user's messages and decisions in these entries to input items of the OpenAI Responses API. */
export function inputItemsOf(runId: string, entries: readonly Entry[]): readonly InputItem[] {
  return entries.flatMap((entry): readonly InputItem[] => {
    const id = `in_${runId}_${entry.seq}`
    if (entry.type === 'approval.decided') {
      const { approvalId: approval_request_id, decision } = entry
      if (decision.type === 'escalated' && !('agent' in decision)) return []
      const approve = decision.type === 'approved' || decision.type === 'modified'
      const to = decision.type === 'escalated' ? `escalated to ${decision.agent}` : null
      const reason = decision.type === 'rejected' ? decision.reason : to
      return [{ id, type: 'mcp_approval_response', approval_request_id, approve, reason }]
    }
    if (entry.type !== 'message.appended' || entry.message.role !== 'user') return []
    const isFromUser = entry.source === 'input' || entry.source === 'steering' || entry.source === 'follow-up'
    if (!isFromUser) return []
    return [{ id, type: 'message', role: 'user', status: 'completed', content: entry.message.content.map(toContent) }]
  })
}

function toContent(part: UserPart) {
  if (part.type === 'text') return { type: 'input_text', text: part.text }
  const { source, mediaType, name: filename } = part
  const url = source.type === 'url' ? source.url : `data:${mediaType};base64,${source.data}`
  if (mediaType.startsWith('image/')) return { type: 'input_image', detail: 'auto', image_url: url }
  return { type: 'input_file', filename, ...(source.type === 'url' ? { file_url: url } : { file_data: url }) }
}

const MAX_LIMIT = 100

/**
 * Returns the page that a query selects: `limit` items (default 20) after the item `after`. The newest item comes first unless
 * `order` is `asc`.
 * @throws Problem 400 if the query is invalid.
 */
export function pageOf(items: readonly InputItem[], query: Readonly<Record<string, string>>) {
  const { limit: asked = '20', order = 'desc', after } = query
  const limit = /^\d{1,3}$/.test(asked) ? Number(asked) : 0
  if (limit < 1 || limit > MAX_LIMIT) throw invalidParameter(`limit: must be an integer from 1 to ${MAX_LIMIT}`)
  if (order !== 'asc' && order !== 'desc') throw invalidParameter('order: must be asc or desc')
  const ordered = order === 'asc' ? items : items.toReversed()
  const from = after === undefined ? 0 : ordered.findIndex(item => item.id === after) + 1
  if (after !== undefined && from === 0) throw invalidParameter('after: must be the id of an item of this response')
  const data = ordered.slice(from, from + limit)
  return {
    object: 'list',
    data,
    first_id: data.at(0)?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + limit < ordered.length,
  }
}
