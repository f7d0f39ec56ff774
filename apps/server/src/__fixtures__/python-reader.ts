/** What the Python client of the protocol's reference reads from a stream. */
export interface PythonView {
  readonly events: number
  /** Text of the deltas, by message. */
  readonly written: Readonly<Record<string, string>>
  /** Text of the ended messages. */
  readonly said: Readonly<Record<string, string>>
  readonly status: string | null
  readonly error: string | null
}

/**
 * The blocking transport splits lines at newlines. The async transport splits them at every line break that Unicode
 * defines.
 */
const LINES = {
  blocking: /\r\n|\n|\r/,
  // oxlint-disable-next-line no-control-regex -- these end lines there
  async: /\r\n|[\n\r\v\f\u001C-\u001E\u0085\u2028\u2029]/,
} as const

/** The fields of all kinds of events that the client reads. */
interface Wire {
  readonly object: string
  readonly status: string
  readonly type: string
  readonly id: string
  readonly msg_id: string
  readonly delta: boolean | null
  readonly text: string
  readonly content: readonly Wire[] | null
  readonly error: { readonly message: string } | null
}

/**
 * Reads a stream as that client does: only lines that begin with `data: `. It drops invalid JSON and unknown objects.
 */
export function readAsPython(stream: string, transport: keyof typeof LINES): PythonView {
  const written: Record<string, string> = {}
  const said: Record<string, string> = {}
  let events = 0
  let status: string | null = null
  let error: string | null = null
  for (const line of stream.split(LINES[transport])) {
    const event = line.startsWith('data: ') ? parsed(line.slice(6)) : undefined
    if (event === undefined) continue
    events++
    if (event.object === 'content' && event.type === 'text' && event.delta)
      written[event.msg_id] = (written[event.msg_id] ?? '') + event.text
    if (event.object === 'message' && event.content !== null) {
      const texts = event.content.flatMap(part => (part.type === 'text' ? [part.text] : []))
      if (texts.length > 0) said[event.id] = texts.join('')
    }
    if (event.object === 'response') {
      ;({ status } = event)
      error = event.error?.message ?? null
    }
  }
  return { events, written, said, status, error }
}

function parsed(text: string): Wire | undefined {
  try {
    const event = JSON.parse(text) as Partial<Wire> | null
    return ['response', 'message', 'content'].includes(event?.object ?? '') ? (event as Wire) : undefined
  } catch {
    return undefined
  }
}
