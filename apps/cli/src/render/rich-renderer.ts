import { totalTokens, type RunEvent } from '@parley/core'
import type { RunResult } from '@parley/engine'
import { MarkdownWriter, type RenderMarkdown } from './markdown-writer.ts'
import { printable } from './printable.ts'
import { showEnd, type RenderOptions, type RunRenderer } from './render-run.ts'
import { runNotice } from './run-notice.ts'
import { createStatusLine } from './status-line.ts'
import type { Terminal } from './terminal.ts'

/** Characters of a token, roughly. The model counts them exactly when its answer ends. */
const CHARACTERS_PER_TOKEN = 4

/** Prints a run for a user at a terminal: Markdown with styles, and a status line while the user waits. */
export function createRichRenderer(terminal: Terminal, options: RenderOptions, markdown: RenderMarkdown): RunRenderer {
  const status = createStatusLine(terminal)
  const answer = new MarkdownWriter(markdown, text => terminal.out(text))
  const startedAt = performance.now()
  let counted = 0
  let streamed = 0
  const describe = (): string => {
    const seconds = Math.floor((performance.now() - startedAt) / 1_000)
    const tokens = counted + Math.ceil(streamed / CHARACTERS_PER_TOKEN)
    return `${seconds} s · ${tokens} tokens · Esc stops`
  }
  return {
    event(event) {
      status.hide()
      const isOwn = event.path.length === 0
      if (isOwn && event.type === 'text.delta') answer.text(printable(event.text, terminal))
      if ('text' in event && event.type.endsWith('.delta')) streamed += event.text.length
      if (event.type === 'model.called') {
        counted += totalTokens(event.usage)
        streamed = 0
        if (isOwn) answer.finish()
      }
      showNotice(event, terminal)
      status.show(describe)
    },
    end(result: RunResult, durationMs: number) {
      status.hide()
      answer.finish()
      // The question that follows says what the run waits for.
      if (result.status !== 'suspended') showEnd(result, { ...options, durationMs, terminal, isBrief: true })
    },
  }
}

function showNotice(event: RunEvent, terminal: Terminal): void {
  // Each level of sub-agents adds two ids to the path: the parent run and its call.
  const indent = '  '.repeat(event.path.length / 2)
  // The question that follows shows the request with its arguments.
  if (event.type === 'approval.requested' || event.type === 'tool.requested') return
  const { style, columns = 80 } = terminal
  const notice = runNotice(event, { style, width: columns - 4 - indent.length })
  if (notice !== undefined) terminal.out(`${indent}${notice}\n`)
}
