import type { CrashReport, RunFault, ShownBy, ToolReport } from '@parley/evals/crash-test'
import type { Terminal } from '../../render/terminal.ts'

export interface RenderOptions {
  readonly terminal: Pick<Terminal, 'style'>
  readonly module: string
  /** How the user calls the CLI. */
  readonly command: string
  readonly files?: string | undefined
  readonly ledger?: string | undefined
}

const VERDICTS = {
  repeated: 'repeated',
  lost: 'lost',
  unknown: 'reported as unknown',
  safe: 'safe',
} as const

/** Renders a report: a table of the tools, what is wrong with each, and how to repeat it. */
export function renderCrashReport(report: CrashReport, options: RenderOptions): string {
  const { style } = options.terminal
  const { tools, runs, withoutCalls, kills } = report
  const rows = tools.map(tool => [tool.agent, tool.tool, tool.declared, verdictOf(tool), tool.shouldDeclare])
  const table = align([['agent', 'tool', 'declares', 'verdict', 'should declare'], ...rows])
  const lines = table.map((line, index) =>
    index > 0 && tools[index - 1]?.isFault === true ? style('red', line) : line,
  )
  const parts = tools.length === 0 ? [] : [lines.join('\n')]
  for (const tool of tools)
    if (tool.isFault || tool.verdict === 'unknown' || tool.explanation.includes('Not seen'))
      parts.push(explain(tool, options))
  for (const fault of runs) parts.push(explainRun(fault, options))
  if (withoutCalls.length > 0) parts.push(`No tool was called by ${withoutCalls.join(', ')}: try another --input.`)
  const count = tools.filter(({ isFault }) => isFault).length + runs.length
  parts.push(
    `${kills} ${kills === 1 ? 'kill' : 'kills'} · ${count === 0 ? 'no faults' : `${count} ${count === 1 ? 'fault' : 'faults'}`}`,
  )
  return `${parts.join('\n\n')}\n`
}

function verdictOf({ verdict, isFault }: ToolReport): string {
  return isFault && verdict === 'safe' ? 'wrong effect' : VERDICTS[verdict]
}

function explain({ agent, tool, explanation, isFault, shownBy }: ToolReport, options: RenderOptions): string {
  const title = `${isFault ? 'FAULT' : 'note'}  ${agent} · ${tool}`
  return [
    options.terminal.style(isFault ? 'red' : 'dim', title),
    `  ${explanation}`,
    ...repeatLines(shownBy, options),
  ].join('\n')
}

function explainRun({ agent, explanation, shownBy }: RunFault, options: RenderOptions): string {
  const title = options.terminal.style('red', `FAULT  ${agent}`)
  return [title, `  ${explanation}`, ...repeatLines(shownBy, options)].join('\n')
}

function repeatLines(
  shownBy: ShownBy | undefined,
  { command, module, files, ledger }: RenderOptions,
): readonly string[] {
  if (shownBy === undefined) return []
  const { words, at, agent, input } = shownBy
  const flags = [
    ['--agent', agent],
    ['--input', input],
    ['--files', files],
    ['--ledger', ledger],
    ['--at', at],
  ].flatMap(([flag, value]) => (value === undefined ? [] : [`${flag} ${quote(value)}`]))
  return [`  Killed ${words}.`, `  Repeat: ${command} crash-test ${quote(module)} ${flags.join(' ')}`]
}

function quote(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function align(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => (row[column] ?? '').length)))
  return rows.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
