/** What a user sees in the web UI of the protocol's reference. */
export interface WebUiView {
  /** Whether the UI still waits for the end, which blocks the input field. */
  readonly loading: boolean
  readonly error: { readonly code: string; readonly message: string } | undefined
  /** The cards, in display order. */
  readonly cards: readonly WebUiCard[]
  readonly usage: { readonly input: number; readonly output: number } | undefined
}

export interface WebUiCard {
  readonly type: string
  readonly text: string
  readonly data: Readonly<Record<string, unknown>> | undefined
}

/** The fields of all kinds of events that the UI reads. */
interface Wire {
  readonly object: string
  readonly status: string
  readonly type: string
  readonly id: string
  readonly msg_id: string
  readonly delta: boolean | null
  readonly text?: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly content: readonly Wire[] | null
  readonly output: readonly Wire[] | null
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number } | null
  readonly error: { readonly code: string; readonly message: string } | null
}

interface Part {
  /** Whether more deltas may follow. */
  readonly open: boolean
  readonly text: string
  readonly data: Readonly<Record<string, unknown>> | undefined
}

interface Shown {
  readonly type: string
  parts: Part[]
}

/** The message types that the UI displays. */
const DRAWN: ReadonlySet<string> = new Set(
  'message reasoning error plugin_call plugin_call_output mcp_call mcp_call_output mcp_approval_request'.split(' '),
)

/**
 * Reads a stream as that web UI does. It ignores carriage returns, appends text to the last part whatever the index,
 * and treats each data delta as the whole data. Only `completed` and `failed` end the stream. The final output replaces
 * all cards.
 * @throws Error as the UI does, for a line without a colon and for data that is invalid JSON.
 */
export function readAsWebUi(stream: string): WebUiView {
  const messages = new Map<string, Shown>()
  let loading = true
  let error: WebUiView['error']
  let usage: WebUiView['usage']

  function end({ status, output, usage: tokens, error: cause }: Wire): void {
    loading = false
    messages.clear()
    for (const message of output ?? []) showMessage(messages, message)
    if (tokens !== null) usage = { input: tokens.input_tokens, output: tokens.output_tokens }
    if (status === 'failed' && cause !== null) error = cause
  }

  for (const event of eventsOf(stream)) {
    if (event.object === 'content') showContent(messages.get(event.msg_id), event)
    else if (event.object === 'message') showMessage(messages, event)
    else if (event.object !== 'response') error = { code: 'unknown', message: 'Answers have stopped' }
    else if (event.status === 'completed' || event.status === 'failed') end(event)
  }
  return { loading, error, usage, cards: [...messages.values()].flatMap(cardOf) }
}

function* eventsOf(stream: string): Generator<Wire, void> {
  for (const block of stream.split('\n\n')) {
    for (const line of block.split('\n')) {
      const colon = line.indexOf(':')
      if (colon === -1 && line !== '') throw new Error(`a line without a colon: ${line}`)
      if (line.slice(0, colon) === 'data') yield JSON.parse(line.slice(colon + 1)) as Wire
    }
  }
}

function showMessage(messages: Map<string, Shown>, { id, type, content }: Wire): void {
  const shown = messages.get(id) ?? { type, parts: [] }
  messages.set(id, shown)
  if (content !== null) shown.parts = content.map(part => partOf(part, false))
}

function showContent(message: Shown | undefined, event: Wire): void {
  // The stream has not announced this message.
  if (message === undefined) return
  const { parts } = message
  const last = parts.at(-1)
  const part = partOf(event, event.status === 'in_progress')
  if (last?.open !== true) parts.push(part)
  else if (event.delta === true && event.type === 'text') parts[parts.length - 1] = { ...part, text: last.text + part.text }
  else parts[parts.length - 1] = part
}

/** The UI prints a file as its JSON. */
function partOf(event: Wire, open: boolean): Part {
  const { type, text = '', data } = event
  return { open, data, text: type === 'text' ? text : type === 'data' ? '' : JSON.stringify(event) }
}

function cardOf({ type, parts }: Shown): readonly WebUiCard[] {
  if (!DRAWN.has(type)) return []
  return [{ type, text: parts.map(part => part.text).join(''), data: parts.findLast(part => part.data)?.data }]
}
