import {
  toErrorInfo,
  untilAborted,
  type ErrorInfo,
  userMessage,
  type InputFilter,
  type InputVerdict,
  type UserMessage,
} from '@parley/core'
import type { RunContext } from '../../run-context/run-context.ts'
import type { EntryBody } from '../../run-context/run-journal.ts'

/** The message after the input filters, or the rejection, and the entries to record. */
export type Filtered = { readonly entries: readonly EntryBody[] } & (
  | { readonly message: UserMessage; readonly rejection?: undefined }
  | { readonly message?: undefined; readonly rejection: { readonly filter: string; readonly reason: string } }
)

/**
 * Passes a user message through the agent's input filters, in order. The first rejection ends the check; warnings are
 * added to the end of the message. Synchronous if the agent has no filters.
 */
export function filterInput(
  run: RunContext,
  source: 'input' | 'steering' | 'follow-up',
  message: UserMessage,
): Filtered | Promise<Filtered> {
  if (run.state.relation === 'compaction') return refused(source)
  const { inputFilters = [] } = run.agent.definition
  return inputFilters.length === 0 ? { message, entries: [] } : applyFilters(run, inputFilters, { source, message })
}

/** Rejects a message to a compaction run. */
function refused(source: Incoming['source']): Filtered {
  const rejection = { filter: 'compaction', reason: 'the run only compacts its session' }
  const { filter, reason: detail } = rejection
  return { entries: [{ type: 'input.filtered', source, filter, verdict: 'reject', detail }], rejection }
}

interface Incoming {
  readonly source: 'input' | 'steering' | 'follow-up'
  readonly message: UserMessage
}

async function applyFilters(run: RunContext, filters: readonly InputFilter[], incoming: Incoming): Promise<Filtered> {
  let { message } = incoming
  const warnings: string[] = []
  const entries: EntryBody[] = []
  for (const filter of filters) {
    const verdict = await ask(run, filter, message)
    if (verdict === 'pass') continue
    const detail = detailOf(verdict)
    entries.push({
      type: 'input.filtered',
      source: incoming.source,
      filter: filter.name,
      verdict: verdict.type,
      detail,
      ...('error' in verdict ? { error: verdict.error } : {}),
    })
    if (verdict.type === 'reject') return { entries, rejection: { filter: filter.name, reason: detail } }
    if (verdict.type === 'warn') warnings.push(detail)
    else message = typeof verdict.message === 'string' ? userMessage(verdict.message) : verdict.message
  }
  if (warnings.length === 0) return { message, entries }
  const notes = warnings.map(warning => ({ type: 'text' as const, text: `[Warning: ${warning}]` }))
  return { message: { ...message, content: [...message.content, ...notes] }, entries }
}

/** The rejection of a message whose filter failed. */
type FailedVerdict = Extract<InputVerdict, { type: 'reject' }> & { readonly error: ErrorInfo }

/**
 * Returns the verdict of a filter. If the filter throws, or the run is stopped before the filter has decided, the
 * message is rejected.
 */
async function ask(
  { facts, stopper: { signal } }: RunContext,
  filter: InputFilter,
  message: UserMessage,
): Promise<InputVerdict | FailedVerdict> {
  const answer = async (): Promise<InputVerdict> => filter.check(message, { run: facts, signal })
  try {
    const verdict = await untilAborted(answer(), signal)
    if (isVerdict(verdict)) return verdict
    const reason = 'the filter gave no verdict'
    return { type: 'reject', reason, error: { code: 'internal', detail: reason } }
  } catch (thrown) {
    if (signal.aborted) return { type: 'reject', reason: 'the run was stopped before it had decided' }
    // Clients read the reason, so the words of the error stay out of it.
    return { type: 'reject', reason: 'the filter failed', error: toErrorInfo(thrown) }
  }
}

const VERDICTS: readonly unknown[] = ['warn', 'reject', 'replace']

/** Whether a value is a verdict. A filter written in JavaScript may return anything. */
function isVerdict(verdict: InputVerdict): boolean {
  return verdict === 'pass' || VERDICTS.includes((verdict as { type?: unknown } | undefined)?.type)
}

function detailOf(verdict: Exclude<InputVerdict, 'pass'>): string {
  switch (verdict.type) {
    case 'warn':
      return verdict.warning
    case 'reject':
      return verdict.reason
    case 'replace':
      return verdict.reason ?? 'replaced'
  }
}
