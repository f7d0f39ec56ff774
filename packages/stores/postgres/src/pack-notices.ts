import type { RunEvent } from '@parley/core'

/** Largest notice in bytes. PostgreSQL rejects notices of 8000 bytes. */
const MOST_BYTES = 7_900

/**
 * Packs events into notices, in order. Each notice is a JSON array. If an event is too large for a notice, a text or
 * reasoning delta is split, and any other event is dropped.
 */
export function packNotices(events: readonly RunEvent[], prefix: string): readonly string[] {
  const notices: string[] = []
  let texts: string[] = []
  let bytes = Infinity
  for (const text of events.flatMap(event => fitting(event, MOST_BYTES - prefix.length * 4 - 2))) {
    const size = Buffer.byteLength(text) + 1
    if (bytes + size > MOST_BYTES) {
      if (texts.length > 0) notices.push(`${prefix}[${texts.join(',')}]`)
      texts = []
      bytes = Buffer.byteLength(prefix) + 2
    }
    texts.push(text)
    bytes += size
  }
  if (texts.length > 0) notices.push(`${prefix}[${texts.join(',')}]`)
  return notices
}

/** Returns the event as JSON. A text or reasoning delta that is too large is split. */
function fitting(event: RunEvent, most: number): readonly string[] {
  const text = JSON.stringify(event)
  if (Buffer.byteLength(text) < most) return [text]
  if (event.type !== 'text.delta' && event.type !== 'reasoning.delta') return []
  const half = middleOf(event.text)
  if (half === 0) return []
  const parts = [event.text.slice(0, half), event.text.slice(half)]
  return parts.flatMap(part => fitting({ ...event, text: part }, most))
}

/** Returns the position at which to split a text, or 0. A surrogate pair is not split. */
function middleOf(text: string): number {
  const half = Math.floor(text.length / 2)
  const before = text.charCodeAt(half - 1)
  return before >= 0xd800 && before < 0xdc00 ? half - 1 : half
}
