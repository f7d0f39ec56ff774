import { totalTokens, type Cost, type RunEvent, type Usage } from '@parley/core'
import type { RunResult } from '@parley/engine'
import { countOf } from './count-of.ts'
import { continueHint } from './continue-hint.ts'
import { printable } from './printable.ts'
import { runNotice } from './run-notice.ts'
import type { Terminal } from './terminal.ts'

/** Prints the events of a run. */
export interface RunRenderer {
  event(event: RunEvent): void
  /** Prints how the run ended, its usage, and the commands that continue from here. */
  end(result: RunResult, durationMs: number): void
}

/** `text` is for users, `json` prints each event as one line, `quiet` prints only the final answer. */
export type RenderMode = 'text' | 'json' | 'quiet'

export interface RenderOptions {
  readonly mode: RenderMode
  /** Options that select the database or the server, for hints: ` --db runs.db`. Empty for the default database. */
  readonly place: string
  /** How the user calls the CLI, for example `parley`. It appears in hints. */
  readonly command: string
}

export function createRunRenderer(terminal: Terminal, { mode, place, command }: RenderOptions): RunRenderer {
  if (mode === 'json') {
    return { event: event => terminal.out(`${JSON.stringify(event)}\n`), end: () => {} }
  }
  const line = createLineWriter(terminal)
  if (mode === 'quiet') {
    // Only the end of the run tells whether a text is the answer, or was said before a tool call.
    return {
      event: () => {},
      end(result) {
        const text = result.status === 'completed' ? result.text : result.partialText
        if (text !== '') line.line(printable(text.replace(/\n$/, ''), terminal))
      },
    }
  }
  return {
    event: event => showEvent(event, line, terminal),
    end(result, durationMs) {
      line.finish()
      showEnd(result, { durationMs, place, command, terminal })
    },
  }
}

/** Writes text in pieces, and whole lines between the pieces. */
export interface LineWriter {
  text(text: string): void
  line(text: string): void
  finish(): void
}

export function createLineWriter(terminal: Terminal): LineWriter {
  let open = false
  const finish = (): void => {
    if (open) terminal.out('\n')
    open = false
  }
  return {
    text(text) {
      if (text === '') return
      terminal.out(printable(text, terminal))
      open = !text.endsWith('\n')
    },
    line(text) {
      finish()
      terminal.out(`${text}\n`)
    },
    finish,
  }
}

/** Prints the text of the answer. Skips the text of sub-agents, which is the result of a tool call and not the answer. */
function showText(event: RunEvent, line: LineWriter): void {
  if (event.path.length > 0) return
  if (event.type === 'text.delta') line.text(event.text)
  if (event.type === 'model.called') line.finish()
}

function showEvent(event: RunEvent, lines: LineWriter, terminal: Terminal): void {
  // Each level of sub-agents adds two ids to the path: the parent run and its call.
  const indent = '  '.repeat(event.path.length / 2)
  const { style } = terminal
  const notice = runNotice(event, { style, width: (terminal.columns ?? 120) - 4 - indent.length })
  if (notice === undefined) showText(event, lines)
  else lines.line(`${indent}${notice}`)
}

interface EndOptions {
  readonly durationMs: number
  readonly place: string
  readonly command: string
  readonly terminal: Terminal
  /** Leaves out the commands that continue from here if the run completed. @default false */
  readonly isBrief?: boolean | undefined
}

/** Prints how a run ended, its usage, and the commands that continue from here. */
export function showEnd(
  result: RunResult,
  { durationMs, place, command, terminal, isBrief = false }: EndOptions,
): void {
  const { style } = terminal
  const facts = [
    endingOf(result),
    countOf(result.turns, 'turn'),
    tokensOf(result.usage),
    costOf(result.cost),
    `${(durationMs / 1000).toFixed(1)} s`,
  ]
  const mark = markOf(result.status, terminal)
  terminal.out(`\n${mark} ${facts.filter(fact => fact !== '').join(' · ')}\n`)
  if (isBrief && result.status === 'completed') return
  const call = (name: string): string => {
    return `${command} ${name} ${result.runId}${place}`
  }
  const again = result.status === 'interrupted' ? ` · resume: ${call('resume')}` : ''
  const hint = result.status === 'suspended' ? continueHint(result, call) : ''
  terminal.out(`${style('dim', `  trace: ${call('trace')}${again}${hint && ` · ${hint}`}`)}\n`)
}

/** Returns the mark of a status. A suspended run has not failed: it waits for an answer. */
function markOf(status: RunResult['status'], { style }: Terminal): string {
  if (status === 'completed') return style('green', '✓')
  return status === 'suspended' ? style('yellow', '?') : style('red', '✗')
}

function endingOf(result: RunResult): string {
  switch (result.status) {
    case 'completed':
      return result.finish === 'stop' ? 'completed' : `completed (${result.finish})`
    case 'limit':
      return `stopped at the limit of ${result.hit.max} ${result.hit.limit}`
    case 'cancelled':
      return 'cancelled'
    case 'rejected':
      return `rejected by the input filter '${result.filter}': ${result.reason}`
    case 'suspended':
      return result.clientCalls.length > 0 && result.approvals.length === 0
        ? 'suspended for a result of the client'
        : 'suspended for approval'
    case 'failed':
    case 'interrupted':
      return result.status
  }
}

function tokensOf(usage: Usage): string {
  if (totalTokens(usage) === 0) return ''
  const cached = usage.cacheRead === 0 ? '' : ` + ${usage.cacheRead.toLocaleString('en')} cached`
  return `${(usage.input + usage.cacheWrite).toLocaleString('en')} in${cached} + ${usage.output.toLocaleString('en')} out tokens`
}

/** Describes the cost. A model without known prices has an unknown cost, which must not appear as $0. */
function costOf(cost: Cost | undefined): string {
  return cost === undefined ? 'cost unknown' : `$${cost.usd.toFixed(4)}`
}
