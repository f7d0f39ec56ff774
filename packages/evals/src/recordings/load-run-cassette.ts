import {
  checkOptions,
  ZERO_USAGE,
  type Entry,
  type EntryOf,
  type Message,
  type ModelEvent,
  type OptionKinds,
  type Store,
} from '@parley/core'
import { evolve, loadRun, restoreRequest, type RunState } from '@parley/engine/journal'
import { loadRunHistory, type HistoryRun } from '../history/load-run-history.ts'
import type { Cassette, RecordedCall, RecordedRequest, TimedEvent } from './cassette.ts'
import { createMask } from './masking/create-mask.ts'
import { maskEvents } from './masking/mask-events.ts'
import { toMaskSettings, type MaskOptions } from './masking/mask-settings.ts'

const OPTIONS: OptionKinds<MaskOptions> = {
  personalData: 'strings',
  patterns: 'list',
}

/**
 * Makes a cassette from the journal of a run and its child runs, so that the run can be replayed without its models. The answers come
 * in one piece for each part, because a journal does not keep the pieces. A run that kept its requests (`captureRequests: 'keep'`) gives whole
 * requests; of other runs only the messages are known and compared. Calls that a context policy made are not in a journal.
 * @throws ParleyError `run-unknown`, `config-invalid`, `store-…`.
 */
export async function loadRunCassette(store: Store, runId: string, options: MaskOptions = {}): Promise<Cassette> {
  checkOptions('loadRunCassette', options, OPTIONS)
  const masks = toMaskSettings('loadRunCassette', options)
  const mask = createMask(masks)
  const { runs } = await loadRunHistory(store, runId)
  const byId = new Map(runs.map(run => [run.runId, run]))
  const found: JournaledCall[] = []
  await collect(runId)
  const calls = found.map(({ request, events, ...call }, index) => ({
    call: index + 1,
    ...call,
    request: mask.request(request),
    events: maskEvents(events, mask),
  }))
  const names = [...new Set(calls.map(({ model }) => model))]
  const models = names.map(name => {
    const slash = name.indexOf('/')
    return { provider: name.slice(0, slash), id: name.slice(slash + 1), info: {} }
  })
  return { masks, models, calls }

  /** Collects the calls of a run, and those of a child run where it began. */
  async function collect(id: string): Promise<void> {
    const run = byId.get(id)
    if (run === undefined) return
    for (const step of callsOf(run, await loadRun(store, id, 1))) {
      if (typeof step === 'string') await collect(step)
      else found.push(step)
    }
  }
}

type JournaledCall = Omit<RecordedCall, 'call'>

/** Returns the model calls of one run, and the ids of the child runs between them. `start` is its state after the first entry. */
function callsOf({ entries }: HistoryRun, start: RunState): readonly (JournaledCall | string)[] {
  const calls: (JournaledCall | string)[] = []
  let state = start
  let kept: RecordedRequest | undefined
  for (const [index, entry] of entries.entries()) {
    if (entry.type === 'agent.started') calls.push(entry.childRunId)
    if (entry.type === 'request.kept') kept = restoreRequest(entry, state.transcript.toArray())
    if (entry.type === 'model.called' || entry.type === 'model.failed') {
      const request = kept ?? { messages: viewOf(state) }
      const next = entries
        .slice(index + 1)
        .find(each => each.type === 'message.appended' || each.type === 'answer.discarded')
      calls.push({ ...toCall(entry, next), request })
      kept = undefined
    }
    if (index > 0) state = evolve(state, entry)
  }
  return calls
}

/** The messages that the model was sent, without those that a middleware added. */
function viewOf({ transcript, context: { overlay } }: RunState): readonly Message[] {
  return overlay === undefined ? transcript.toArray() : [...overlay.messages, ...transcript.slice(overlay.end)]
}

function toCall(
  entry: EntryOf<'model.called' | 'model.failed'>,
  next: Entry | undefined,
): Pick<RecordedCall, 'model' | 'events' | 'ms' | 'end'> {
  const { durationMs: ms, usage, cost } = entry
  const costs = cost === undefined ? {} : { costUsd: cost.usd }
  const spent: TimedEvent = [ms, { type: 'usage', usage: { ...ZERO_USAGE, ...usage }, ...costs }]
  if (entry.type === 'model.failed') {
    const end = entry.error.code === 'cancelled' ? 'stopped' : { error: entry.error }
    return { model: entry.model, events: [spent], ms, end }
  }
  // An answer that the run discarded as truncated is not in the journal, and no later request contains it.
  const message = next?.type === 'message.appended' && next.source === 'model' ? next.message : undefined
  const at = entry.firstTokenMs ?? ms
  const events = message === undefined ? [] : eventsOf(message).map((event): TimedEvent => [at, event])
  return {
    model: entry.model,
    events: [...events, spent, [ms, { type: 'finish', reason: entry.finish }]],
    ms,
    end: 'finished',
  }
}

function eventsOf(message: Message): readonly ModelEvent[] {
  if (message.role !== 'assistant') return []
  return message.content.flatMap((part): readonly ModelEvent[] => {
    switch (part.type) {
      case 'text':
      case 'reasoning': {
        const { type, text, providerData } = part
        const end: ModelEvent = { type: `${type}.end`, ...(providerData === undefined ? {} : { providerData }) }
        return text === '' ? [end] : [{ type: `${type}.delta`, text }, end]
      }
      case 'tool-call': {
        const { execution: _engine, ...call } = part
        return [call]
      }
      case 'file':
        return [{ type: 'file', part }]
      case 'opaque':
        return [part]
    }
  })
}
