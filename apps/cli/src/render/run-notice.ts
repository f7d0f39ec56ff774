import { describeError, messageText, type RunEvent, type RunEventOf } from '@parley/core'
import { countOf } from './count-of.ts'
import { oneLine } from './one-line.ts'
import type { Terminal } from './terminal.ts'

export interface NoticeOptions {
  readonly style: Terminal['style']
  /** Available columns. */
  readonly width: number
}

/**
 * Returns the line that the terminal shows for an event. `undefined` for an event without a line, such as a text delta.
 */
export function runNotice(event: RunEvent, { style, width }: NoticeOptions): string | undefined {
  switch (event.type) {
    case 'tool.started':
      return `${style('cyan', '→')} ${style('bold', event.name)} ${oneLine(JSON.stringify(event.input), width - event.name.length)}`
    case 'tool.progress':
      return style('dim', `  … ${oneLine(toText(event.update), width)}`)
    case 'tool.ended':
      return toolEnded(event, { style, width })
    case 'message.appended': {
      const { source, message } = event
      return source === 'note' || source === 'steering' ? style('yellow', messageText(message)) : undefined
    }
    case 'input.filtered':
      return style('yellow', `  input filter ${event.filter}: ${event.verdict}, ${event.detail}`)
    case 'model.retrying':
      return style('yellow', `  ${describeError(event.error)} ${retryNotice(event)}`)
    case 'tool.omitted':
      return style('yellow', `  The model does not get a tool: ${oneLine(describeError(event.error), width)}`)
    case 'answer.discarded':
      return style('yellow', '  The answer was cut off. Asking again.')
    case 'approval.requested':
      return `${style('yellow', '?')} ${event.request.prompt}`
    case 'tool.requested':
      return `${style('yellow', '?')} ${event.call.name} ${oneLine(JSON.stringify(event.call.input), width - event.call.name.length)}: waits for the client`
    case 'approval.decided':
      return style('dim', `  ${event.decision.type}${event.by === undefined ? '' : ` by ${event.by.id}`}`)
    case 'agent.started':
      return style('dim', `  ⇢ ${event.agent} starts`)
    case 'agent.ended':
      return style('dim', `  ⇠ ${event.outcome.status}, ${countOf(event.turns, 'turn')}`)
    case 'agent.changed':
      return style('yellow', `${event.from} hands over to ${event.to}`)
    case 'context.compacted': {
      const { policy, before, after } = event
      return style('dim', `  ${policy}: ${before.messages} messages to ${after.messages} for the model`)
    }
    case 'run.resumed':
      return style('dim', `resumed after entry ${event.seq - 1}`)
    case 'agent.suspended':
    case 'cancel.requested':
    case 'context.compacting':
    case 'input.dropped':
    case 'input.queued':
    case 'limit.reached':
    case 'middleware.failed':
    case 'model.called':
    case 'model.failed':
    case 'model.request':
    case 'model.started':
    case 'model.usage':
    case 'instructions.evaluated':
    case 'output.accepted':
    case 'output.delta':
    case 'output.rejected':
    case 'reasoning.delta':
    case 'request.kept':
    case 'run.ended':
    case 'run.failed':
    case 'run.interrupted':
    case 'run.queued':
    case 'run.started':
    case 'run.suspended':
    case 'text.delta':
    case 'tool.submitted':
    case 'tool-call.delta':
    case 'tool-call.start':
      // These events need no line: the line at the end, or the error after it, tells the outcome.
      return undefined
  }
}

function toolEnded(event: RunEventOf<'tool.ended'>, { style, width }: NoticeOptions): string {
  const mark = event.error === undefined ? style('green', '←') : style('red', '✗')
  const head = `${event.name} ${event.durationMs} ms`
  return `${mark} ${style('dim', head)} ${oneLine(messageText(event.message), width - head.length)}`
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function retryNotice({ delayMs, fallback }: RunEventOf<'model.retrying'>): string {
  return fallback === undefined ? `Retrying in ${(delayMs / 1000).toFixed(1)} s.` : `Falling back to ${fallback.to}.`
}
