import type { RunEvent } from '@parley/core'

/** PostgreSQL refuses a notice of 8000 bytes. */
const MOST_BYTES = 7_900

/** Events as JSON lists that each fit a notice, in order. One that fits none is left out. */
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

/** The event as text; a long piece of an answer as several. */
function fitting(event: RunEvent, most: number): readonly string[] {
  const text = JSON.stringify(event)
  if (Buffer.byteLength(text) < most) return [text]
  if (event.type !== 'text.delta' && event.type !== 'reasoning.delta') return []
  const half = middleOf(event.text)
  if (half === 0) return []
  const parts = [event.text.slice(0, half), event.text.slice(half)]
  return parts.flatMap(part => fitting({ ...event, text: part }, most))
}

/** Where a text can be cut in two, 0 where it cannot: a character of two units stays whole. */
function middleOf(text: string): number {
  const half = Math.floor(text.length / 2)
  const before = text.charCodeAt(half - 1)
  return before >= 0xd800 && before < 0xdc00 ? half - 1 : half
}
