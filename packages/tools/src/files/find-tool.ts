import { toolError, toolOk, type Tool, type ToolOutcome } from '@parley/core'
import { defineReadTool } from '../define-built-in.ts'
import type { InferInput } from '../infer-input.ts'
import { expandBraces } from './expand-braces.ts'
import { runGrep, type SearchToolOptions } from './run-grep.ts'

const DEFAULT_RESULTS = 200
const OUTPUT_CHARACTERS = 50_000

const input = {
  type: 'object',
  properties: {
    pattern: {
      type: 'string',
      description: "Glob of file names as in .gitignore, relative to path: '*.ts', 'src/**/*.{ts,tsx}', '!*.test.ts'.",
    },
    path: { type: 'string', description: "Directory to search. Default: '.', the workspace root." },
    maxResults: { type: 'integer', minimum: 1, maximum: 5_000, description: 'Default: 200.' },
  },
  required: ['pattern'],
  additionalProperties: false,
} as const

/** The tool `find`, which finds files by name. */
export function findTool({ workspace, timeLimitMs }: SearchToolOptions): Tool<InferInput<typeof input>, ToolOutcome> {
  return defineReadTool({
    name: 'find',
    description:
      'Finds files by name, in all directories below path, sorted by path. Skips links, names that hold secrets, .git, ' +
      'node_modules and what .gitignore excludes. To search in files use grep.',
    input,
    timeoutMs: timeLimitMs + 10_000,
    execute: async ({ pattern, path = '.', maxResults = DEFAULT_RESULTS }, { signal, run }) => {
      const glob = pattern.trim()
      if (glob === '' || glob.includes('\0')) return toolError("The pattern is empty. Give a glob such as '*.ts'.")
      const globs = expandBraces(glob)
      if (globs === undefined) return toolError('The glob expands to more than 100 patterns. Use fewer alternatives.')
      const here = await workspace.forRun(run)
      const start = await here.resolve(path)
      const { roots, denied, within } = here
      const { lines, stopped } = await runGrep(
        {
          rules: { roots, denied, within },
          start,
          search: undefined,
          globs,
          maxMatches: maxResults,
          maxOutputCharacters: OUTPUT_CHARACTERS,
        },
        { timeLimitMs, signal },
      )
      const shown: string[] = [...lines]
      if (stopped === 'matches') shown.push(`[The first ${maxResults} files; there are more. Narrow pattern or path.]`)
      else if (stopped === 'output') shown.push('[The output is full and there is more. Narrow pattern or path.]')
      else if (stopped !== undefined) {
        const text = `The search was stopped after ${timeLimitMs} ms. Narrow path, or use a simpler pattern.`
        if (lines.length === 0) return toolError(text)
        shown.push(`[${text}]`)
      }
      if (shown.length === 0)
        shown.push(`No file matches '${glob}' below ${start.shown}; a pattern is relative to path.`)
      return toolOk(shown.join('\n'), { files: [...lines], complete: stopped === undefined })
    },
  })
}
