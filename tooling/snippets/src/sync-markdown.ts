import { readRegion } from './read-region.ts'

/** A reason why a code block of a Markdown text does not show its example. */
export interface SnippetProblem {
  /** Line of the Markdown text, counted from 1. */
  readonly line: number
  readonly message: string
}

export interface SyncedMarkdown {
  /** The text with the code of the examples in every block. */
  readonly text: string
  /** Blocks whose code differed from the example. `text` contains the code of the example. */
  readonly stale: readonly SnippetProblem[]
  /** Problems that this tool cannot repair, such as a missing example. */
  readonly broken: readonly SnippetProblem[]
}

const MARKER = /^[ \t]*<!--[ \t]*snippet:[ \t]*(\S+?)(?:#(\S+))?[ \t]*-->[ \t]*$/
const FENCE = /^([ \t]*)(`{3,}|~{3,})[ \t]*([\w-]*)/
/** Files that a test runs: examples, and the programs and tests of the packages in the folder `examples`. */
const RUN_BY_A_TEST = /\.(?:example|test)\.ts$|(?:^|\/)examples\/[\w-]+\/.+\.tsx?$/
const CODE_LANGUAGES: ReadonlySet<string> = new Set([
  'ts',
  'tsx',
  'mts',
  'typescript',
  'js',
  'jsx',
  'mjs',
  'javascript',
])

/**
 * Compares the code blocks of a Markdown text with the examples that their snippet comments name.
 * @param readExample Returns the text of an example by its path in the comment, or `undefined` if it does not exist.
 */
export function syncMarkdown(markdown: string, readExample: (path: string) => string | undefined): SyncedMarkdown {
  const lines = markdown.split('\n')
  const output: string[] = []
  const stale: SnippetProblem[] = []
  const broken: SnippetProblem[] = []
  let marker: Marker | undefined
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    output.push(line)
    const fence = FENCE.exec(line)
    if (fence === null) {
      marker = nextMarker({ line, number: index + 1, marker, broken })
      continue
    }
    const [, indent = '', ticks = '', language = ''] = fence
    const close = closingLine(lines, { from: index + 1, ticks })
    const body = lines.slice(index + 1, close)
    const wanted = wantedBody({ marker, language, readExample })
    if ('problem' in wanted) broken.push({ line: index + 1, message: wanted.problem })
    const fresh = 'code' in wanted ? wanted.code.split('\n').map(each => (each === '' ? '' : indent + each)) : body
    if (fresh.join('\n') !== body.join('\n')) {
      stale.push({ line: index + 1, message: `differs from ${marker?.source ?? 'its example'}` })
    }
    output.push(...fresh)
    if (close < lines.length) output.push(lines[close] ?? '')
    marker = undefined
    index = close
  }
  if (marker !== undefined) broken.push({ line: marker.line, message: 'no code block follows this snippet comment' })
  return { text: output.join('\n'), stale, broken }
}

interface Marker {
  readonly line: number
  readonly source: string
  readonly path: string
  readonly region: string | undefined
}

interface MarkerStep {
  readonly line: string
  readonly number: number
  readonly marker: Marker | undefined
  readonly broken: SnippetProblem[]
}

/** Returns the snippet comment that applies to the next block, after a line outside of blocks. */
function nextMarker({ line, number, marker, broken }: MarkerStep): Marker | undefined {
  if (line.trim() === '') return marker
  if (marker !== undefined) broken.push({ line: marker.line, message: 'no code block follows this snippet comment' })
  const match = MARKER.exec(line)
  if (match === null) {
    if (/<!--[ \t]*snippet\b/.test(line)) broken.push({ line: number, message: 'this snippet comment is invalid' })
    return undefined
  }
  const [, path = '', region] = match
  return { line: number, path, region, source: region === undefined ? path : `${path}#${region}` }
}

function closingLine(lines: readonly string[], { from, ticks }: { from: number; ticks: string }): number {
  const index = lines.findIndex(
    (line, at) => at >= from && line.trim().startsWith(ticks) && /^[`~]+$/.test(line.trim()),
  )
  return index === -1 ? lines.length : index
}

interface WantedOptions {
  readonly marker: Marker | undefined
  readonly language: string
  readonly readExample: (path: string) => string | undefined
}

type Wanted = { readonly code: string } | { readonly problem: string } | { readonly free: true }

function wantedBody({ marker, language, readExample }: WantedOptions): Wanted {
  if (marker === undefined) {
    if (!CODE_LANGUAGES.has(language)) return { free: true }
    return {
      problem: `a ${language} block needs a comment before it: <!-- snippet: examples/<name>.example.ts#<region> -->`,
    }
  }
  if (!RUN_BY_A_TEST.test(marker.path))
    return { problem: `${marker.path} must end in .example.ts or .test.ts, or be in a package below examples/` }
  const text = readExample(marker.path)
  if (text === undefined) return { problem: `there is no file ${marker.path}` }
  const region = readRegion(text, marker.region)
  return 'code' in region ? region : { problem: `${marker.path}: ${region.problem}` }
}
