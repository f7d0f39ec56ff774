import { describeError, messageText, totalTokens, type Cost, type RunEvent, type Usage } from '@parley/core'
import type { RunResult } from '@parley/engine'
import { DEFAULT_DATABASE } from './agent-flags.ts'
import { oneLine } from './one-line.ts'
import type { Terminal } from './terminal.ts'

/** Shows a run as it goes. */
export interface RunRenderer {
  event(event: RunEvent): void
  /** How it ended, what it used, and how to find it again. */
  end(result: RunResult, durationMs: number): void
}

export interface RenderOptions {
  /** `text` for people, `json` one event a line, `quiet` the answer alone. */
  readonly mode: 'text' | 'json' | 'quiet'
  readonly database: string
  /** How the user calls the command. */
  readonly command: string
}

export function createRunRenderer(terminal: Terminal, { mode, database, command }: RenderOptions): RunRenderer {
  if (mode === 'json') {
    return { event: event => terminal.out(`${JSON.stringify(event)}\n`), end: () => {} }
  }
  const line = createLineKeeper(terminal)
  return {
    event: mode === 'quiet' ? event => showText(event, line) : event => showEvent(event, line, terminal),
    end(result, durationMs) {
      line.finish()
      if (mode === 'text') showEnd(result, { durationMs, database, command, terminal })
    },
  }
}

/** Writes text as it comes, and whole lines between it. */
interface LineKeeper {
  text(text: string): void
  line(text: string): void
  finish(): void
}

function createLineKeeper(terminal: Terminal): LineKeeper {
  let open = false
  const finish = (): void => {
    if (open) terminal.out('\n')
    open = false
  }
  return {
    text(text) {
      if (text === '') return
      terminal.out(text)
      open = !text.endsWith('\n')
    },
    line(text) {
      finish()
      terminal.out(`${text}\n`)
    },
    finish,
  }
}

function showText(event: RunEvent, line: LineKeeper): void {
  if (event.type === 'text.delta') line.text(event.text)
  if (event.type === 'model.called') line.finish()
}

function showEvent(event: RunEvent, line: LineKeeper, terminal: Terminal): void {
  const { style } = terminal
  const width = (terminal.columns ?? 120) - 4
  switch (event.type) {
    case 'tool.started':
      line.line(
        `${style('cyan', '→')} ${style('bold', event.name)} ${oneLine(JSON.stringify(event.input), width - event.name.length)}`,
      )
      break
    case 'tool.progress':
      line.line(style('dim', `  … ${oneLine(toText(event.update), width)}`))
      break
    case 'tool.ended': {
      const mark = event.error === undefined ? style('green', '←') : style('red', '✗')
      const head = `${event.name} ${event.durationMs} ms`
      line.line(`${mark} ${style('dim', head)} ${oneLine(messageText(event.message), width - head.length)}`)
      break
    }
    case 'message.appended':
      if (event.source === 'note' || event.source === 'steering') line.line(style('yellow', messageText(event.message)))
      break
    case 'model.retrying':
      line.line(
        style('yellow', `  ${describeError(event.error)} Trying again in ${(event.delayMs / 1000).toFixed(1)} s.`),
      )
      break
    case 'approval.requested':
      line.line(`${style('yellow', '?')} ${event.request.prompt}`)
      break
    case 'approval.decided':
      line.line(style('dim', `  ${event.decision.type}${event.by === undefined ? '' : ` by ${event.by.id}`}`))
      break
    case 'run.resumed':
      line.line(style('dim', `resumed after entry ${event.seq - 1}`))
      break
    case 'text.delta':
    case 'model.called':
      showText(event, line)
      break
    case 'cancel.requested':
    case 'input.queued':
    case 'limit.reached':
    case 'middleware.failed':
    case 'model.failed':
    case 'model.started':
    case 'reasoning.delta':
    case 'run.ended':
    case 'run.failed':
    case 'run.interrupted':
    case 'run.queued':
    case 'run.started':
    case 'run.suspended':
    case 'tool-call.delta':
    case 'tool-call.start':
      // The end line, or the error after it, tells what these began.
      break
  }
}

interface EndOptions {
  readonly durationMs: number
  readonly database: string
  readonly command: string
  readonly terminal: Terminal
}

function showEnd(result: RunResult, { durationMs, database, command, terminal }: EndOptions): void {
  const { style } = terminal
  const facts = [
    endingOf(result),
    `${result.turns} ${result.turns === 1 ? 'turn' : 'turns'}`,
    tokensOf(result.usage),
    costOf(result.cost),
    `${(durationMs / 1000).toFixed(1)} s`,
  ]
  const mark = result.status === 'completed' ? style('green', '✓') : style('red', '✗')
  terminal.out(`\n${mark} ${facts.filter(fact => fact !== '').join(' · ')}\n`)
  const call = (name: string): string => {
    return `${command} ${name} ${result.runId}${database === DEFAULT_DATABASE ? '' : ` --db ${database}`}`
  }
  const again = result.status === 'interrupted' ? ` · resume: ${call('resume')}` : ''
  const decide = result.status === 'suspended' ? ` · decide: ${call('approve')} [--reject REASON]` : ''
  terminal.out(`${style('dim', `  trace: ${call('trace')}${again}${decide}`)}\n`)
}

function endingOf(result: RunResult): string {
  switch (result.status) {
    case 'completed':
      return result.finish === 'stop' ? 'completed' : `completed (${result.finish})`
    case 'limit':
      return `stopped at its limit of ${result.hit.max} ${result.hit.limit}`
    case 'cancelled':
      return 'cancelled'
    case 'suspended':
      return 'waits for an approval'
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

/** A model without known prices has no cost to show, which is not the same as costing nothing. */
function costOf(cost: Cost | undefined): string {
  return cost === undefined ? 'cost unknown' : `$${cost.usd.toFixed(4)}`
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
