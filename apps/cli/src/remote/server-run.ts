import { messageText, type RunEvent } from '@parley/core'
import type { RunResult } from '@parley/engine'
import type { RunDetail, RunsClient } from '@parley/runs-api'
import type { ShownRun } from '../render/show-run.ts'

/** Follows a run of a server from the entry after `after`, until it ends or waits for an answer. */
export function followServerRun(client: RunsClient, runId: string, after = 0): ShownRun {
  return {
    [Symbol.asyncIterator]: () => eventsOf(client, runId, after),
    cancel: async reason => {
      await client.cancel(runId, reason?.kind === 'user' ? { reason: reason.detail } : {})
    },
    get result() {
      return readResult(client, runId)
    },
  }
}

/**
 * Pieces of an answer come only if the process that answers drives the run. The text that no piece has shown is added before
 * the message of the answer.
 */
async function* eventsOf(client: RunsClient, runId: string, after: number): AsyncGenerator<RunEvent, void> {
  let shown = ''
  let turn = 0
  for await (const event of client.events(runId, { after })) {
    if (event.type === 'text.delta') shown += event.text
    if (event.type === 'model.called') turn = event.turn
    if (event.type === 'message.appended' && event.message.role === 'assistant') {
      const text = messageText(event.message)
      const rest = text.startsWith(shown) ? text.slice(shown.length) : ''
      const { seq, at, sessionId, path } = event
      // As every piece of an answer, it follows the entry before.
      if (rest !== '') yield { type: 'text.delta', turn, text: rest, seq: seq - 1, at, runId, sessionId, path }
      shown = ''
    }
    yield event
    // A run that its server released continues once the server resumes it.
    if (event.type === 'run.suspended' && event.reason !== 'shutdown') return
  }
}

/** Reads how a run stands, as the result of a run that was shown to its end. */
async function readResult(client: RunsClient, runId: string): Promise<RunResult> {
  const [detail, { messages: located }] = await Promise.all([client.run(runId), client.transcript(runId)])
  const messages = located.map(({ message }) => message)
  const last = messages.at(-1)
  const text = last?.role === 'assistant' ? messageText(last) : ''
  const { sessionId, agent, usage, cost, turns, output } = detail
  const facts = { runId, sessionId, agent, messages, usage, cost, turns }
  const ending = endingOf(detail)
  return ending.status === 'completed'
    ? { ...facts, ...ending, text, output }
    : { ...facts, ...ending, partialText: text }
}

function endingOf({ outcome, approvals, clientCalls }: RunDetail) {
  return outcome ?? { status: 'suspended' as const, approvals, clientCalls }
}
