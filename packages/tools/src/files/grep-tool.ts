import { toolError, toolOk, type Tool, type ToolOutcome } from '@parley/core'
import { defineReadTool } from '../define-built-in.ts'
import type { InferInput } from '../infer-input.ts'
import { compilePattern } from './compile-pattern.ts'
import { expandBraces } from './expand-braces.ts'
import { runGrep, type GrepReport, type SearchToolOptions } from './run-grep.ts'
import { MAX_LINE_CHARACTERS } from './line-search.ts'

const DEFAULT_MATCHES = 100
const OUTPUT_CHARACTERS = 50_000

const input = {
  type: 'object',
  properties: {
    pattern: {
      type: 'string',
      description:
        'JavaScript regular expression, or plain text with literal. Matched line by line, anywhere in the line.',
    },
    path: { type: 'string', description: "File or directory to search. Default: '.', the workspace root." },
    glob: {
      type: 'string',
      description: "Which files, as in .gitignore and relative to path: '*.ts', 'src/**/*.{ts,tsx}', '!*.test.ts'.",
    },
    literal: { type: 'boolean', description: 'Take pattern as plain text. Default: false.' },
    ignoreCase: { type: 'boolean', description: 'Default: false.' },
    context: { type: 'integer', minimum: 0, maximum: 20, description: 'Lines to show around matches. Default: 0.' },
    maxMatches: { type: 'integer', minimum: 1, maximum: 1_000, description: 'Default: 100.' },
  },
  required: ['pattern'],
  additionalProperties: false,
} as const

type GrepInput = InferInput<typeof input>

/** The tool `grep`, which finds lines in files. */
export function grepTool({ workspace, timeLimitMs }: SearchToolOptions): Tool<GrepInput, ToolOutcome> {
  return defineReadTool({
    name: 'grep',
    description:
      'Finds lines in text files, shown as path:line:text (lines of context as path-line-text). ' +
      'Skips binary files, links, names that hold secrets, .git, node_modules and what .gitignore excludes.',
    input,
    // The search stops at its own limit, which is shorter, so that it can return what it has found.
    timeoutMs: timeLimitMs + 10_000,
    execute: async (given, { signal, run }) => {
      const { pattern, path = '.', glob = '', literal = false, ignoreCase = false } = given
      const { context: contextLines = 0, maxMatches = DEFAULT_MATCHES } = given
      const compiled = compilePattern(pattern, { literal, ignoreCase })
      if (typeof compiled === 'string') return toolError(compiled)
      const globs = glob === '' ? [] : expandBraces(glob)
      if (globs === undefined) return toolError('The glob expands to more than 100 patterns. Use fewer alternatives.')
      const here = await workspace.forRun(run)
      const start = await here.resolve(path)
      const { roots, denied, within } = here
      const report = await runGrep(
        {
          rules: { roots, denied, within },
          start,
          search: { ...compiled, contextLines },
          globs,
          maxMatches,
          maxOutputCharacters: OUTPUT_CHARACTERS,
        },
        { timeLimitMs, signal },
      )
      return toOutcome(report, { given, timeLimitMs, maxMatches })
    },
  })
}

interface Asked {
  readonly given: GrepInput
  readonly timeLimitMs: number
  readonly maxMatches: number
}

function toOutcome({ lines, counts, stopped }: GrepReport, { given, timeLimitMs, maxMatches }: Asked): ToolOutcome {
  const { matches, files, binary, refused, longLines } = counts
  const notes: string[] = []
  if (stopped === 'matches') {
    notes.push(`[The first ${maxMatches} matches; there are more. Narrow pattern, path or glob, or raise maxMatches.]`)
  }
  if (stopped === 'output') notes.push('[The output is full and there is more. Narrow pattern, path or glob.]')
  if (stopped === 'time' || stopped === 'memory') {
    const why =
      stopped === 'time' ? `was stopped after ${timeLimitMs} ms` : 'was stopped because it used too much memory'
    const advice =
      'Narrow path or glob. If few files were searched, the pattern is the cause: repetitions inside repetitions, as in ' +
      '(a+)+, take forever on some lines; simplify it or set literal to true.'
    const text = `The search ${why}, in file number ${Math.max(1, files)}. ${advice}`
    if (lines.length === 0) return toolError(text)
    notes.push(`[${text}]`)
  }
  if (longLines > 0) {
    notes.push(`[${longLines} lines were searched only in their first ${MAX_LINE_CHARACTERS} characters.]`)
  }
  if (lines.length === 0) {
    const skipped = [
      ...(binary > 0 ? [`${binary} binary`] : []),
      ...(refused > 0 ? [`${refused} not readable here`] : []),
    ]
    const rest = skipped.length === 0 ? '' : ` (skipped: ${skipped.join(', ')})`
    notes.unshift(`No match in ${files} files${rest}.${adviceFor(given, files)}`)
  }
  return toolOk([...lines, ...notes].join('\n'), { matches, files, complete: stopped === undefined })
}

function adviceFor({ glob }: GrepInput, files: number): string {
  if (files > 0) return ''
  return glob === undefined
    ? ' Ignored files and node_modules are searched only when path names them.'
    : ` No file matches the glob '${glob}'; it is relative to path.`
}
