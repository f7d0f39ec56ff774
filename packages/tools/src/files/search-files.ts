import { closeSync, lstatSync, openSync, readSync } from 'node:fs'
import ignore from 'ignore'
import { checkOpened, OPEN_FLAGS } from '../workspace/check-opened.ts'
import { createPathJudge, isInside, type PathJudge } from '../workspace/path-judge.ts'
import type { GrepCounts, GrepReply, GrepRequest } from './grep-request.ts'
import { createLineSearch, MAX_LINE_CHARACTERS } from './line-search.ts'
import { readLineBatches } from './read-line-batches.ts'
import { hasNul, SNIFF_BYTES } from './sniff-content.ts'
import { showName } from './show-name.ts'
import { walkFiles, type WalkedFile } from './walk-files.ts'

const BUFFER_BYTES = 262_144
/** How many bytes of a line are read: enough for `MAX_LINE_CHARACTERS` in UTF-8. */
const MAX_LINE_BYTES = 4 * MAX_LINE_CHARACTERS

interface Search {
  readonly request: GrepRequest
  readonly expression: RegExp
  readonly contextLines: number
  readonly judge: PathJudge
  readonly buffer: Buffer
  readonly reply: (reply: GrepReply) => void
  readonly counts: { -readonly [TKey in keyof GrepCounts]: number }
  characters: number
  reportedAt: number
  stopped: 'matches' | 'output' | undefined
}

/** Runs a whole search synchronously. Call it in a worker thread, which can be terminated at any time. */
export function searchFiles(request: GrepRequest, reply: (reply: GrepReply) => void): void {
  if (request.search === undefined) return listFiles(request, reply)
  const { pattern, flags, contextLines } = request.search
  const search: Search = {
    request,
    expression: new RegExp(pattern, flags),
    contextLines,
    judge: createPathJudge(request.rules),
    buffer: Buffer.allocUnsafe(BUFFER_BYTES),
    reply,
    counts: { matches: 0, files: 0, binary: 0, refused: 0, longLines: 0 },
    characters: 0,
    reportedAt: -Infinity,
    stopped: undefined,
  }
  for (const file of filesOf(search)) {
    searchFile(search, file)
    if (search.stopped !== undefined) break
  }
  reply({ type: 'done', counts: search.counts, stopped: search.stopped })
}

/** Milliseconds between reports. Regular reports let a terminated search keep most of what it found. */
const BATCH_MS = 50

function listFiles(request: GrepRequest, reply: (reply: GrepReply) => void): void {
  const counts = { matches: 0, files: 0, binary: 0, refused: 0, longLines: 0 }
  let lines: string[] = []
  let characters = 0
  let reportedAt = performance.now()
  let stopped: 'matches' | 'output' | undefined
  for (const { name } of filesOf({ request, judge: createPathJudge(request.rules) })) {
    if (counts.matches === request.maxMatches) stopped = 'matches'
    else if (characters > request.maxOutputCharacters) stopped = 'output'
    if (stopped !== undefined) break
    const shown = shownName(request, name)
    lines.push(shown)
    characters += shown.length + 1
    counts.matches++
    counts.files++
    if (performance.now() - reportedAt < BATCH_MS) continue
    reportedAt = performance.now()
    reply({ type: 'hits', lines, counts: { ...counts } })
    lines = []
  }
  reply({ type: 'hits', lines, counts })
  reply({ type: 'done', counts, stopped })
}

function* filesOf({ request, judge }: Pick<Search, 'request' | 'judge'>): Generator<WalkedFile, void, void> {
  const { start, rules, globs } = request
  const wanted = globMatcher(globs)
  if (!lstatSync(start.path).isDirectory()) {
    yield { path: start.path, name: '' }
    return
  }
  const [root = start.path] = rules.roots
    .filter(candidate => isInside(candidate, start.path))
    .toSorted((a, b) => b.length - a.length)
  for (const file of walkFiles({ root, directory: start.path, judge })) if (wanted(file.name)) yield file
}

/**
 * Returns a test for file names. A name must match no excluding glob (`!…`). If there are including globs, it must match at
 * least one of them.
 */
function globMatcher(globs: readonly string[]): (name: string) => boolean {
  const plain = globs.map(glob => glob.replace(/^(!?)\.\//, '$1'))
  const including = plain.filter(glob => !glob.startsWith('!'))
  const included = ignore({ ignorecase: false }).add(including)
  const excluded = ignore({ ignorecase: false }).add(
    plain.filter(glob => glob.startsWith('!')).map(glob => glob.slice(1)),
  )
  return name => (including.length === 0 || included.ignores(name)) && !excluded.ignores(name)
}

function searchFile(search: Search, { path, name }: WalkedFile): void {
  const { counts, judge, buffer } = search
  let descriptor: number
  try {
    descriptor = openSync(path, OPEN_FLAGS)
  } catch {
    counts.refused++
    return
  }
  try {
    if (checkOpened(descriptor, path, judge) !== undefined) {
      counts.refused++
      return
    }
    const head = readSync(descriptor, buffer, 0, SNIFF_BYTES, 0)
    if (hasNul(buffer.subarray(0, head))) {
      counts.binary++
      return
    }
    counts.files++
    reportProgress(search)
    searchLines(search, descriptor, shownName(search.request, name))
  } catch {
    counts.refused++
  } finally {
    closeSync(descriptor)
  }
}

/** Reports counts regularly, because the parent thread may terminate the search at any time. */
function reportProgress(search: Search): void {
  const now = performance.now()
  if (now - search.reportedAt < BATCH_MS) return
  search.reportedAt = now
  search.reply({ type: 'hits', lines: [], counts: { ...search.counts } })
}

function searchLines(search: Search, descriptor: number, shown: string): void {
  const { request, expression, contextLines, counts, buffer, reply } = search
  const { maxMatches, maxOutputCharacters } = request
  let lines: string[] = []
  const flush = (): void => {
    if (lines.length > 0) reply({ type: 'hits', lines, counts: { ...counts } })
    lines = []
  }
  const emit = (line: string): void => {
    // Groups of different files are separated like groups of one file.
    if (contextLines > 0 && search.characters > 0 && first) lines.push('--')
    first = false
    lines.push(line)
    search.characters += line.length + 1
  }
  let first = true
  const found = createLineSearch({ expression, shown, contextLines, emit })
  for (const batch of readLineBatches(descriptor, { buffer, maxLineBytes: MAX_LINE_BYTES })) {
    for (const line of batch) {
      if (line.length > MAX_LINE_CHARACTERS) counts.longLines++
      // Searching for one match beyond the limit shows whether the limit hid anything.
      if (counts.matches >= maxMatches && expression.test(line.slice(0, MAX_LINE_CHARACTERS))) {
        search.stopped = 'matches'
      } else if (found.push(line, counts.matches < maxMatches)) {
        counts.matches++
        // Reported at once, because the expression may backtrack without end on the next line.
        flush()
      }
      if (search.characters > maxOutputCharacters) search.stopped ??= 'output'
      if (search.stopped !== undefined) return flush()
    }
    flush()
  }
}

function shownName({ start }: GrepRequest, name: string): string {
  if (name === '') return showName(start.shown)
  return showName(start.shown === '.' ? name : `${start.shown}/${name}`)
}
