import {
  describeError,
  toErrorInfo,
  userMessage,
  type InputFilter,
  type InputVerdict,
  type UserMessage,
} from '@parley/core'
import type { RunContext } from '../../run-context/run-context.ts'
import type { EntryBody } from '../../run-context/run-journal.ts'

/** What the filters left of a message, or who refused it, and what is to be recorded of that. */
export type Filtered = { readonly entries: readonly EntryBody[] } & (
  | { readonly message: UserMessage; readonly rejection?: undefined }
  | { readonly message?: undefined; readonly rejection: { readonly filter: string; readonly reason: string } }
)

/**
 * Shows a person's message to the agent's input filters, in order: each sees what the one before it left, the first
 * rejection ends it; warnings join the message's end. Synchronous when the agent has no filters.
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

/** A compaction answers nobody. */
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
    })
    if (verdict.type === 'reject') return { entries, rejection: { filter: filter.name, reason: detail } }
    if (verdict.type === 'warn') warnings.push(detail)
    else message = typeof verdict.message === 'string' ? userMessage(verdict.message) : verdict.message
  }
  if (warnings.length === 0) return { message, entries }
  const notes = warnings.map(warning => ({ type: 'text' as const, text: `[Warning: ${warning}]` }))
  return { message: { ...message, content: [...message.content, ...notes] }, entries }
}

/** A filter's verdict. One that breaks, or is overtaken by the run's stop, lets nothing through. */
function ask(run: RunContext, filter: InputFilter, message: UserMessage): Promise<InputVerdict> {
  const { facts, stopper } = run
  return new Promise(resolve => {
    const onStop = (): void => resolve({ type: 'reject', reason: 'the run was stopped before it had decided' })
    stopper.onStop(onStop)
    if (stopper.stopped) return
    const settle = (verdict: InputVerdict): void => {
      stopper.offStop(onStop)
      resolve(isVerdict(verdict) ? verdict : { type: 'reject', reason: 'the filter gave no verdict' })
    }
    const answer = async (): Promise<InputVerdict> => filter.check(message, { run: facts, signal: stopper.signal })
    answer().then(settle, error =>
      settle({ type: 'reject', reason: `the filter failed: ${describeError(toErrorInfo(error))}` }),
    )
  })
}

const VERDICTS: readonly unknown[] = ['warn', 'reject', 'replace']

/** Filters come from plain JavaScript, too. */
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
