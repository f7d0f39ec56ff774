import type {
  ApprovalDecision,
  ApprovalRequest,
  AssistantMessage,
  Entry,
  ErrorInfo,
  Json,
  ToolCallPart,
  ToolMessage,
  UserMessage,
} from '@parley/core'

/** What became of a tool call. */
export interface CallView {
  readonly call: ToolCallPart
  readonly startedSeq?: number | undefined
  readonly effect?: 'read' | 'idempotent' | 'once' | undefined
  readonly attempt?: number | undefined
  /** The input that the handler received. */
  readonly input?: Json | undefined
  readonly result?: ToolMessage | undefined
  readonly error?: ErrorInfo | undefined
  readonly endedSeq?: number | undefined
  readonly approval?: ApprovalRequest | undefined
  readonly decision?: ApprovalDecision | undefined
  readonly childRunId?: string | undefined
}

/** One block of a conversation, as a reader sees it. */
export type Block =
  | { readonly kind: 'user'; readonly seq: number; readonly message: UserMessage; readonly source: string }
  | { readonly kind: 'answer'; readonly seq: number; readonly message: AssistantMessage; readonly calls: readonly CallView[] }
  | { readonly kind: 'note'; readonly seq: number; readonly tone: 'plain' | 'good' | 'bad'; readonly text: string }
  | { readonly kind: 'output'; readonly seq: number; readonly value: Json }

interface Draft {
  readonly blocks: Block[]
  /** Where the block of a call is, and its place in the block. */
  readonly calls: Map<string, { block: number; index: number }>
  readonly approvals: Map<string, string>
}

/** Tells a run's conversation from its entries. */
export function toConversation(entries: readonly Entry[]): readonly Block[] {
  const draft: Draft = { blocks: [], calls: new Map(), approvals: new Map() }
  for (const entry of entries) addEntry(draft, entry)
  return draft.blocks
}

function addEntry(draft: Draft, entry: Entry): void {
  switch (entry.type) {
    case 'run.started':
      for (const message of entry.history ?? []) addMessage(draft, { seq: entry.seq, message, source: 'history' })
      return
    case 'message.appended':
      return addMessage(draft, entry)
    case 'tool.started':
      return change(draft, entry.callId, {
        startedSeq: entry.seq,
        effect: entry.effect,
        attempt: entry.attempt,
        input: entry.input,
      })
    case 'tool.ended':
      return change(draft, entry.callId, { result: entry.message, error: entry.error, endedSeq: entry.seq })
    case 'approval.requested':
      draft.approvals.set(entry.request.approvalId, entry.request.callId)
      return change(draft, entry.request.callId, { approval: entry.request })
    case 'approval.decided': {
      const callId = draft.approvals.get(entry.approvalId)
      return callId === undefined ? undefined : change(draft, callId, { decision: entry.decision })
    }
    case 'agent.started':
      return change(draft, entry.callId, { childRunId: entry.childRunId })
    case 'output.accepted':
      draft.blocks.push({ kind: 'output', seq: entry.seq, value: entry.value })
      return
    default:
      return addNote(draft, entry)
  }
}

function addNote(draft: Draft, entry: Entry): void {
  const note = noteOf(entry)
  if (note !== undefined) draft.blocks.push({ kind: 'note', seq: entry.seq, ...note })
}

function noteOf(entry: Entry): { tone: 'plain' | 'good' | 'bad'; text: string } | undefined {
  switch (entry.type) {
    case 'context.compacted':
      return { tone: 'plain', text: `Context compacted: ${entry.before.messages} messages became ${entry.after.messages}` }
    case 'agent.changed':
      return { tone: 'plain', text: `${entry.from} handed over to ${entry.to}` }
    case 'run.suspended':
      return { tone: 'plain', text: entry.reason === 'shutdown' ? 'The worker released the run' : 'The run waits' }
    case 'run.resumed':
      return { tone: 'plain', text: `${entry.worker} took the run up` }
    case 'input.filtered':
      return { tone: 'bad', text: `Filter ${entry.filter}: ${entry.detail}` }
    case 'answer.discarded':
      return { tone: 'bad', text: 'The truncated answer was discarded' }
    case 'output.rejected':
      return { tone: 'bad', text: `The answer does not fit the schema: ${entry.issues.map(issueText).join('; ')}` }
    case 'model.failed':
      return { tone: 'bad', text: `The model call failed: ${entry.error.code}` }
    case 'run.failed':
      return { tone: 'bad', text: `The run failed: ${entry.error.code}` }
    case 'limit.reached':
      return { tone: 'bad', text: `Limit reached: ${entry.hit.value} of ${entry.hit.max} ${entry.hit.limit}` }
    case 'cancel.requested':
      return { tone: 'bad', text: `Cancelled (${entry.reason.kind})${entry.reason.detail === undefined ? '' : `: ${entry.reason.detail}`}` }
    case 'run.ended':
      return endNote(entry)
    default:
      return undefined
  }
}

function endNote({ outcome }: Entry & { type: 'run.ended' }): { tone: 'good' | 'bad'; text: string } | undefined {
  switch (outcome.status) {
    case 'completed':
      return outcome.finish === 'stop' ? undefined : { tone: 'bad', text: `The last answer ended with ${outcome.finish}` }
    case 'rejected':
      return { tone: 'bad', text: `Rejected by ${outcome.filter}: ${outcome.reason}` }
    case 'failed':
      return { tone: 'bad', text: `Failed: ${outcome.error.code}` }
    case 'limit':
    case 'cancelled':
      return undefined
  }
}

function issueText(issue: { path: string; message: string }): string {
  return issue.path === '' ? issue.message : `${issue.path} ${issue.message}`
}

type AnyMessage = (Entry & { type: 'message.appended' })['message']

function addMessage(draft: Draft, from: { seq: number; message: AnyMessage; source: string }): void {
  const { seq, message, source } = from
  if (message.role === 'user') draft.blocks.push({ kind: 'user', seq, message, source })
  if (message.role === 'system') draft.blocks.push({ kind: 'note', seq, tone: 'plain', text: message.content })
  if (message.role === 'tool') change(draft, message.callId, { result: message, endedSeq: seq })
  if (message.role !== 'assistant') return
  const calls = message.content.filter(part => part.type === 'tool-call')
  const block = draft.blocks.push({ kind: 'answer', seq, message, calls: calls.map(call => ({ call })) }) - 1
  for (const [index, call] of calls.entries()) draft.calls.set(call.callId, { block, index })
}

function change(draft: Draft, callId: string, view: Partial<CallView>): void {
  const place = draft.calls.get(callId)
  const block = place === undefined ? undefined : draft.blocks[place.block]
  if (place === undefined || block?.kind !== 'answer') return
  const calls = block.calls.map((call, index) => (index === place.index ? { ...call, ...view } : call))
  draft.blocks[place.block] = { ...block, calls }
}
