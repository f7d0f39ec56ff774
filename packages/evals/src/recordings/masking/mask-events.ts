import type { ModelEvent } from '@parley/core'
import type { TimedEvent } from '../cassette.ts'
import type { Mask } from './create-mask.ts'

/**
 * Masks the events of an answer. Text is masked as a whole and then divided again, so that a value that two pieces share is found.
 * Pieces of a text without such a value stay as they are.
 */
export function maskEvents(events: readonly TimedEvent[], mask: Mask): readonly TimedEvent[] {
  const masked = [...events]
  for (const positions of openTexts(events)) {
    rewrite(masked, positions, { mask: text => mask.text(text), textOf, withText })
  }
  for (const positions of callDeltas(events).values()) {
    rewrite(masked, positions, { mask: text => mask.jsonText(text), textOf, withText })
  }
  return masked.flatMap(([ms, event]) => {
    const kept = maskEvent(event, mask)
    return kept === undefined ? [] : [[ms, kept] as const]
  })
}

/** Masks what one event holds alone. A piece that lost its whole text is dropped. */
function maskEvent(event: ModelEvent, mask: Mask): ModelEvent | undefined {
  switch (event.type) {
    case 'text.delta':
    case 'reasoning.delta':
      return event.text === '' ? undefined : event
    case 'text.end':
    case 'reasoning.end':
    case 'opaque':
      return event.providerData === undefined
        ? event
        : { ...event, providerData: mask.providerData(event.providerData) }
    case 'tool-call': {
      const { providerData } = event
      const own = providerData === undefined ? {} : { providerData: mask.providerData(providerData) }
      return { ...event, arguments: mask.jsonText(event.arguments), ...own }
    }
    case 'file': {
      const { source, providerData } = event.part
      const own = providerData === undefined ? {} : { providerData: mask.providerData(providerData) }
      const masked = source.type === 'url' ? { source: { type: 'url' as const, url: mask.text(source.url) } } : {}
      return { ...event, part: { ...event.part, ...masked, ...own } }
    }
    case 'retry':
      return 'detail' in event.error && typeof event.error.detail === 'string'
        ? { ...event, error: { ...event.error, detail: mask.text(event.error.detail) } }
        : event
    case 'tool-call.start':
    case 'tool-call.delta':
    case 'usage':
    case 'finish':
      return event
  }
}

/** The positions of the deltas of each part of text or reasoning. */
function openTexts(events: readonly TimedEvent[]): readonly (readonly number[])[] {
  const parts: number[][] = []
  let open: { readonly type: string; readonly positions: number[] } | undefined
  for (const [index, [, { type }]] of events.entries()) {
    if (type === 'retry' || type === 'usage') continue
    if (type !== 'text.delta' && type !== 'reasoning.delta') {
      open = undefined
      continue
    }
    if (open?.type !== type) {
      open = { type, positions: [] }
      parts.push(open.positions)
    }
    open.positions.push(index)
  }
  return parts
}

function callDeltas(events: readonly TimedEvent[]): ReadonlyMap<string, readonly number[]> {
  const calls = new Map<string, number[]>()
  for (const [index, [, event]] of events.entries()) {
    if (event.type === 'tool-call.delta') calls.set(event.callId, [...(calls.get(event.callId) ?? []), index])
  }
  return calls
}

interface Rewriting {
  readonly mask: (text: string) => string
  readonly textOf: (event: ModelEvent) => string
  readonly withText: (event: ModelEvent, text: string) => ModelEvent
}

function rewrite(
  events: TimedEvent[],
  positions: readonly number[],
  { mask, textOf: read, withText: write }: Rewriting,
): void {
  const pieces = positions.map(position => read(events[position]?.[1] ?? { type: 'finish', reason: 'stop' }))
  const whole = pieces.join('')
  const masked = mask(whole)
  if (masked === whole) return
  for (const [index, text] of divide(masked, pieces).entries()) {
    const position = positions[index]
    const timed = position === undefined ? undefined : events[position]
    if (position !== undefined && timed !== undefined) events[position] = [timed[0], write(timed[1], text)]
  }
}

/** Divides a text into pieces that are as long, in proportion, as the given ones. */
function divide(text: string, pieces: readonly string[]): readonly string[] {
  const total = pieces.join('').length
  let given = 0
  let from = 0
  return pieces.map((piece, index) => {
    given += piece.length
    let to = index === pieces.length - 1 ? text.length : Math.floor((text.length * given) / Math.max(1, total))
    // A character outside the Basic Multilingual Plane has two units, which stay together.
    if (/[\uDC00-\uDFFF]/.test(text.charAt(to))) to += 1
    const part = text.slice(from, to)
    from = Math.max(from, to)
    return part
  })
}

function textOf(event: ModelEvent): string {
  if (event.type === 'tool-call.delta') return event.delta
  return event.type === 'text.delta' || event.type === 'reasoning.delta' ? event.text : ''
}

function withText(event: ModelEvent, text: string): ModelEvent {
  if (event.type === 'tool-call.delta') return { ...event, delta: text }
  return event.type === 'text.delta' || event.type === 'reasoning.delta' ? { ...event, text } : event
}
