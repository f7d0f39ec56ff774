import type {
  ApprovalDecision,
  ApprovalRequest,
  AssistantMessage,
  Entry,
  EntryOf,
  ErrorInfo,
  Json,
  ToolCallPart,
  ToolMessage,
  UserMessage,
} from '@parley/core'
import { applyEntry, type ByType } from './by-type.ts'

/** A tool call with its result. */
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
export type Block = BlockPlace &
  (
    | { readonly kind: 'user'; readonly message: UserMessage; readonly source: string }
    | { readonly kind: 'answer'; readonly message: AssistantMessage; readonly calls: readonly CallView[] }
    | { readonly kind: 'note'; readonly tone: 'plain' | 'bad'; readonly text: string }
    | { readonly kind: 'output'; readonly value: Json }
  )

/** Where a block comes from. */
export interface BlockPlace {
  /** Number of the entry. */
  readonly seq: number
  /** The run whose journal has the entry. Absent: the run that is shown. */
  readonly runId?: string | undefined
}

interface Draft {
  readonly blocks: Block[]
  /** Where the block of a call is, and its place in the block. */
  readonly calls: Map<string, { block: number; index: number }>
  readonly approvals: Map<string, string>
}

/** Tells a run's conversation from its entries. */
export function toConversation(entries: readonly Entry[]): readonly Block[] {
  const draft: Draft = { blocks: [], calls: new Map(), approvals: new Map() }
  for (const entry of entries) applyEntry(TABLE, draft, entry)
  return draft.blocks
}

const TABLE: ByType<Draft> = {
  'run.started': (draft, { seq, history = [] }) => {
    for (const message of history) addMessage(draft, { seq, message, source: 'history' })
  },
  'message.appended': addMessage,
  'tool.started': (draft, { callId, seq, effect, attempt, input }) =>
    change(draft, callId, { startedSeq: seq, effect, attempt, input }),
  'tool.ended': (draft, { callId, message, error, seq }) =>
    change(draft, callId, { result: message, error, endedSeq: seq }),
  'approval.requested': (draft, { request }) => {
    draft.approvals.set(request.approvalId, request.callId)
    change(draft, request.callId, { approval: request })
  },
  'approval.decided': (draft, { approvalId, decision }) => change(draft, draft.approvals.get(approvalId), { decision }),
  'agent.started': (draft, { callId, childRunId }) => change(draft, callId, { childRunId }),
  'output.accepted': (draft, { seq, value }) => void draft.blocks.push({ kind: 'output', seq, value }),
  'context.compacted': (draft, entry) =>
    note(draft, entry, { text: `Context compacted: ${entry.before.messages} messages became ${entry.after.messages}` }),
  'agent.changed': (draft, entry) => note(draft, entry, { text: `${entry.from} handed over to ${entry.to}` }),
  'run.suspended': (draft, entry) =>
    note(draft, entry, { text: entry.reason === 'shutdown' ? 'The worker released the run' : 'The run waits' }),
  'run.resumed': (draft, entry) => note(draft, entry, { text: `${entry.worker} resumed the run` }),
  'input.filtered': (draft, entry) => bad(draft, entry, `Filter ${entry.filter}: ${entry.detail}`),
  'answer.discarded': (draft, entry) => bad(draft, entry, 'The truncated answer was discarded'),
  'output.rejected': (draft, entry) =>
    bad(draft, entry, `The answer does not fit the schema: ${entry.issues.map(issueText).join('; ')}`),
  'model.failed': (draft, entry) => bad(draft, entry, `The model call failed: ${entry.error.code}`),
  'run.failed': (draft, entry) => bad(draft, entry, `The run failed: ${entry.error.code}`),
  'limit.reached': (draft, entry) =>
    bad(draft, entry, `Limit reached: ${entry.hit.value} of ${entry.hit.max} ${entry.hit.limit}`),
  'cancel.requested': (draft, entry) => {
    const { kind, detail } = entry.reason
    bad(draft, entry, `Cancelled (${kind})${detail === undefined ? '' : `: ${detail}`}`)
  },
  'run.ended': addEnd,
}

function note(draft: Draft, { seq }: Entry, { text, tone = 'plain' }: { text: string; tone?: 'plain' | 'bad' }): void {
  draft.blocks.push({ kind: 'note', seq, tone, text })
}

function bad(draft: Draft, entry: Entry, text: string): void {
  note(draft, entry, { text, tone: 'bad' })
}

function addEnd(draft: Draft, entry: EntryOf<'run.ended'>): void {
  const { outcome } = entry
  if (outcome.status === 'completed' && outcome.finish !== 'stop')
    bad(draft, entry, `The last answer ended with ${outcome.finish}`)
  if (outcome.status === 'rejected') bad(draft, entry, `Rejected by ${outcome.filter}: ${outcome.reason}`)
  if (outcome.status === 'failed') bad(draft, entry, `Failed: ${outcome.error.code}`)
}

function issueText(issue: { path: string; message: string }): string {
  return issue.path === '' ? issue.message : `${issue.path} ${issue.message}`
}

type AnyMessage = EntryOf<'message.appended'>['message']

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

function change(draft: Draft, callId: string | undefined, view: Partial<CallView>): void {
  const place = callId === undefined ? undefined : draft.calls.get(callId)
  const block = place === undefined ? undefined : draft.blocks[place.block]
  if (place === undefined || block?.kind !== 'answer') return
  const calls = block.calls.map((call, index) => (index === place.index ? { ...call, ...view } : call))
  draft.blocks[place.block] = { ...block, calls }
}
