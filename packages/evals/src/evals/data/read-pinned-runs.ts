import { messageText, ParleyError, type Entry, type Json, type Store } from '@parley/core'
import { loadRunMessages } from '@parley/engine/journal'
import type { EvalCase } from './eval-case.ts'

/**
 * Makes cases of runs that a store keeps: the input is the text that a run began with, and `expected` is what the run answered.
 * @param runIds Ids of runs that completed. They are also the ids of the cases.
 * @returns The `data` of an eval. It throws ParleyError `run-unknown` for a run that the store does not know, and `config-invalid`
 * for one that did not complete or had no input.
 */
export function readPinnedRuns(
  store: Pick<Store, 'read'>,
  runIds: readonly string[],
): () => Promise<readonly EvalCase<string, Json>[]> {
  return () => Promise.all(runIds.map(runId => caseOf(store, runId)))
}

async function caseOf(store: Pick<Store, 'read'>, runId: string): Promise<EvalCase<string, Json>> {
  const entries = await store.read(runId)
  const [first] = entries
  if (first?.type !== 'run.started') throw new ParleyError({ code: 'run-unknown', runId })
  const input = inputOf(entries)
  if (input === undefined) throw unusable(runId, 'has no input')
  const end = entries.at(-1)
  if (end?.type !== 'run.ended' || end.outcome.status !== 'completed')
    throw unusable(runId, 'did not complete, so it has no answer to compare with')
  return {
    id: runId,
    input,
    expected: await answerOf(store as Store, entries, runId),
    metadata: { agent: first.agent },
  }
}

function inputOf(entries: readonly Entry[]): string | undefined {
  for (const entry of entries)
    if (entry.type === 'message.appended' && entry.source === 'input') return messageText(entry.message)
  return undefined
}

async function answerOf(store: Store, entries: readonly Entry[], runId: string): Promise<Json> {
  const accepted = entries.findLast(entry => entry.type === 'output.accepted')
  if (accepted !== undefined) return accepted.value
  const messages = await loadRunMessages(store, runId)
  const answer = messages.findLast(({ message }) => message.role === 'assistant')
  return answer === undefined ? '' : messageText(answer.message)
}

function unusable(runId: string, detail: string): ParleyError {
  return new ParleyError({ code: 'config-invalid', path: `readPinnedRuns.${runId}`, detail })
}
