import type { Entry, EntryOf, EntryType } from '@parley/core'

/** Says in one line what an entry records. */
export function entrySentence(entry: Entry): string {
  const say = SENTENCES[entry.type] as (entry: Entry) => string
  return say(entry)
}

const SENTENCES: { readonly [TType in EntryType]: (entry: EntryOf<TType>) => string } = {
  'run.started': entry => `${entry.agent} starts with ${entry.model}`,
  'run.resumed': entry => `${entry.worker} resumes the run`,
  'instructions.evaluated': entry => `instructions of ${entry.agent}`,
  'message.appended': entry => `${entry.source}: ${brief(entry.message)}`,
  'input.queued': entry => `${entry.kind} waits: ${brief(entry.message)}`,
  'input.dropped': () => 'a queued message was dropped',
  'input.filtered': entry => `${entry.filter} ${entry.verdict}: ${entry.detail}`,
  'request.kept': entry => `request of turn ${entry.turn}`,
  'model.called': entry => `turn ${entry.turn}: ${entry.model}, ${entry.usage.output} tokens out, ${entry.finish}`,
  'model.failed': entry => `turn ${entry.turn}: ${entry.error.code}`,
  'answer.discarded': entry => `turn ${entry.turn}: truncated answer discarded`,
  'output.accepted': () => 'output accepted',
  'output.rejected': entry => `answer ${entry.attempt} does not fit the schema`,
  'tool.started': entry => `${entry.name} (${entry.effect})${entry.attempt > 1 ? `, attempt ${entry.attempt}` : ''}`,
  'tool.ended': entry => `${entry.name} ${entry.error === undefined ? 'ended' : `failed: ${entry.error.code}`}`,
  'approval.requested': entry => `${entry.request.name} asks for approval`,
  'approval.decided': entry => `${entry.decision.type}${entry.by === undefined ? '' : ` by ${entry.by.id}`}`,
  'tool.requested': entry => `${entry.call.name} waits for the client`,
  'tool.submitted': entry => `the client submitted ${entry.submission.type}`,
  'agent.started': entry => `${entry.agent} starts as a child run`,
  'agent.suspended': () => 'the child run waits',
  'agent.ended': entry => `the child run ${entry.outcome.status}`,
  'agent.changed': entry => `${entry.from} hands over to ${entry.to}`,
  'run.suspended': entry => `suspended: ${entry.reason ?? 'approval'}`,
  'context.compacted': entry => `${entry.policy}: ${entry.before.messages} → ${entry.after.messages} messages`,
  'run.failed': entry => entry.error.code,
  'cancel.requested': entry =>
    `${entry.reason.kind}${entry.reason.detail === undefined ? '' : `: ${entry.reason.detail}`}`,
  'limit.reached': entry => `${entry.hit.limit}: ${entry.hit.value} of ${entry.hit.max}`,
  'run.ended': entry => entry.outcome.status,
}

type AnyMessage = EntryOf<'message.appended'>['message']

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
