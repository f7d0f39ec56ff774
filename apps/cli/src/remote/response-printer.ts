import {
  responseText,
  type AgentEvent,
  type AgentResponse,
  type ContentEvent,
  type JsonObject,
} from '@parley/agent-api'
import { MarkdownWriter, type RenderMarkdown } from '../render/markdown-writer.ts'
import { oneLine } from '../render/one-line.ts'
import { printable } from '../render/printable.ts'
import { createLineWriter, type LineWriter, type RenderMode } from '../render/render-run.ts'
import { createStatusLine } from '../render/status-line.ts'
import type { Terminal } from '../render/terminal.ts'

/** Prints the events of a response. */
export interface ResponsePrinter {
  event(event: AgentEvent): void
  /** Prints how the response ended. */
  end(response: AgentResponse, durationMs: number): void
}

export interface PrinterOptions {
  readonly mode: RenderMode
  /** Renders Markdown, with a status line. @default the text as it is */
  readonly markdown?: RenderMarkdown | undefined
}

export function createResponsePrinter(terminal: Terminal, { mode, markdown }: PrinterOptions): ResponsePrinter {
  if (mode === 'json') return { event: event => terminal.out(`${JSON.stringify(event)}\n`), end: () => {} }
  const plain = createLineWriter(terminal)
  if (mode === 'quiet') {
    const say = (text: string): void => (text === '' ? undefined : plain.line(printable(text, terminal)))
    return { event: () => {}, end: response => say(responseText(response).replace(/\n$/, '')) }
  }
  const status = markdown === undefined ? undefined : createStatusLine(terminal)
  const lines = markdown === undefined ? plain : markdownLines(terminal, markdown)
  const messages = new MessageLines(lines, terminal)
  const startedAt = performance.now()
  const describe = (): string => `${Math.floor((performance.now() - startedAt) / 1_000)} s · Esc stops`
  return {
    event(event) {
      status?.hide()
      messages.event(event)
      status?.show(describe)
    },
    end(response, durationMs) {
      status?.hide()
      lines.finish()
      terminal.out(`\n${endOf(response, durationMs, terminal)}\n`)
    },
  }
}

function markdownLines(terminal: Terminal, markdown: RenderMarkdown): LineWriter {
  const answer = new MarkdownWriter(markdown, text => terminal.out(text))
  const finish = (): void => answer.finish()
  return {
    text: text => answer.text(printable(text, terminal)),
    line(text) {
      finish()
      terminal.out(`${text}\n`)
    },
    finish,
  }
}

/** Prints the messages of a response: the answer, calls of tools and their results. */
class MessageLines {
  readonly #lines: LineWriter
  readonly #terminal: Terminal
  /** Types of the messages so far, by their id. */
  readonly #types = new Map<string, string>()
  /** Parts of which text was printed. */
  readonly #begun = new Set<string>()

  constructor(lines: LineWriter, terminal: Terminal) {
    this.#lines = lines
    this.#terminal = terminal
  }

  event(event: AgentEvent): void {
    if (event.object === 'message') {
      this.#types.set(event.id, event.type)
      if (event.status === 'completed' && event.type === 'message') this.#lines.finish()
    }
    if (event.object === 'content') this.#content(event)
  }

  #content(event: ContentEvent): void {
    const type = this.#types.get(event.msg_id) ?? 'message'
    if (event.type === 'data' && event.status === 'completed') this.#data(type, event.data ?? {})
    if (event.type !== 'text' || type !== 'message') return
    const part = `${event.msg_id} ${event.index}`
    // The end of a part repeats its text.
    if (!event.delta && this.#begun.has(part)) return
    if (event.text === null || event.text === '') return
    this.#begun.add(part)
    this.#lines.text(event.text)
  }

  #data(type: string, data: JsonObject): void {
    const { style, columns = 120 } = this.#terminal
    const name = textOf(data['name'])
    const width = columns - 4 - name.length
    if (type === 'mcp_approval_request')
      this.#lines.line(`${style('yellow', '?')} ${printable(textOf(data['prompt']) || name, this.#terminal)}`)
    else if (type.endsWith('_output'))
      this.#lines.line(`${style('green', '←')} ${style('dim', name)} ${oneLine(String(data['output']), width)}`)
    else if (type.endsWith('_call'))
      this.#lines.line(`${style('cyan', '→')} ${style('bold', name)} ${oneLine(String(data['arguments']), width)}`)
  }
}

function endOf({ status, usage, error }: AgentResponse, durationMs: number, { style }: Terminal): string {
  const words = status === 'canceled' ? 'cancelled' : status
  const mark = status === 'completed' ? style('green', '✓') : style('red', '✗')
  const { input_tokens: input, output_tokens: output } = usage ?? {}
  const tokens = input === undefined ? [] : [`${Number(input)} in + ${Number(output)} out tokens`]
  const why = error === null || status === 'canceled' ? [] : [`${error.message} (${error.code})`]
  return `${mark} ${[words, ...why, ...tokens, `${(durationMs / 1_000).toFixed(1)} s`].join(' · ')}`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
