import type { Entry } from '@parley/core'

/** Says in one line what an entry records. */
export function entrySentence(entry: Entry): string {
  switch (entry.type) {
    case 'run.started':
      return `${entry.agent} starts with ${entry.model}`
    case 'run.resumed':
      return `${entry.worker} takes the run up`
    case 'instructions.evaluated':
      return `instructions of ${entry.agent}`
    case 'message.appended':
      return `${entry.source}: ${brief(entry.message)}`
    case 'input.queued':
      return `${entry.kind} waits: ${brief(entry.message)}`
    case 'input.dropped':
      return 'a queued message was dropped'
    case 'input.filtered':
      return `${entry.filter} ${entry.verdict}: ${entry.detail}`
    case 'request.kept':
      return `request of turn ${entry.turn}`
    case 'model.called':
      return `turn ${entry.turn}: ${entry.model}, ${entry.usage.output} tokens out, ${entry.finish}`
    case 'model.failed':
      return `turn ${entry.turn}: ${entry.error.code}`
    case 'answer.discarded':
      return `turn ${entry.turn}: truncated answer discarded`
    case 'output.accepted':
      return 'output accepted'
    case 'output.rejected':
      return `answer ${entry.attempt} does not fit the schema`
    case 'tool.started':
      return `${entry.name} (${entry.effect})${entry.attempt > 1 ? `, attempt ${entry.attempt}` : ''}`
    case 'tool.ended':
      return `${entry.name} ${entry.error === undefined ? 'ended' : `failed: ${entry.error.code}`}`
    default:
      return requestSentence(entry)
  }
}

type Shown = 'approval.requested' | 'approval.decided' | 'tool.requested' | 'tool.submitted' | 'agent.started'
type Later = 'agent.suspended' | 'agent.ended' | 'agent.changed' | 'run.suspended' | 'context.compacted'
type Last = 'run.failed' | 'cancel.requested' | 'limit.reached' | 'run.ended'

function requestSentence(entry: Entry & { type: Shown | Later | Last }): string {
  switch (entry.type) {
    case 'approval.requested':
      return `${entry.request.name} asks for approval`
    case 'approval.decided':
      return `${entry.decision.type}${entry.by === undefined ? '' : ` by ${entry.by.id}`}`
    case 'tool.requested':
      return `${entry.call.name} waits for the client`
    case 'tool.submitted':
      return `the client submitted ${entry.submission.type}`
    case 'agent.started':
      return `${entry.agent} starts as a child run`
    case 'agent.suspended':
      return 'the child run waits'
    case 'agent.ended':
      return `the child run ${entry.outcome.status}`
    case 'agent.changed':
      return `${entry.from} hands over to ${entry.to}`
    case 'run.suspended':
      return `suspended: ${entry.reason ?? 'approval'}`
    case 'context.compacted':
      return `${entry.policy}: ${entry.before.messages} → ${entry.after.messages} messages`
    case 'run.failed':
      return entry.error.code
    case 'cancel.requested':
      return `${entry.reason.kind}${entry.reason.detail === undefined ? '' : `: ${entry.reason.detail}`}`
    case 'limit.reached':
      return `${entry.hit.limit}: ${entry.hit.value} of ${entry.hit.max}`
    case 'run.ended':
      return entry.outcome.status
  }
}

type AnyMessage = (Entry & { type: 'message.appended' })['message']

/** The beginning of a message, in one line. */
function brief(message: AnyMessage): string {
  if (message.role === 'system') return cut(message.content)
  const parts = message.content.map(part => {
    if (part.type === 'text' || part.type === 'reasoning') return part.text
    if (part.type === 'tool-call') return `${part.name}(${part.arguments})`
    return part.type === 'file' ? `[${part.mediaType}]` : ''
  })
  return cut(parts.join(' '))
}

function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > 160 ? `${line.slice(0, 159)}…` : line
}
