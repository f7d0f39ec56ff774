import { isCollection, isPair, isScalar, LineCounter, parseDocument, visit, type Document, type Scalar } from 'yaml'

/** Why a YAML text cannot be used. */
export type YamlFault =
  /**
   * The parser's error. `message` may quote the text, which may contain a secret. `line` is missing if aliases expand
   * too far.
   */
  | { readonly type: 'syntax'; readonly message: string; readonly line?: number | undefined }
  /** An object has the same key twice. */
  | { readonly type: 'repeated-key'; readonly key: string; readonly line: number }

/** A YAML text as data, with the line of each key. Lines count from 1. */
export interface YamlDocument {
  /** The parsed data. `undefined` if the text has a syntax error. */
  readonly value: unknown
  /** Problems that make the text invalid: syntax errors and repeated keys, in the order of the text. */
  readonly faults: readonly YamlFault[]
  /** Parts that this parser ignores but a strict parser may reject: unknown tags, and documents after the first one. */
  readonly warnings: readonly (YamlFault & { readonly type: 'syntax' })[]
  /** Returns the line of a key. If the text does not contain the key, returns the line of its nearest parent. */
  lineOf(key: readonly (string | number)[]): number | undefined
}

const TOO_DEEP = { type: 'syntax', message: 'the text is nested too deeply' } as const
/** Largest number of reported faults. One missing bracket can cause an error for each bracket before it. */
const MOST_FAULTS = 100

/**
 * Reads a YAML 1.2 text. For safety, tags never create objects. A text whose aliases expand too far (`maxAliasCount`
 * 100), or that is nested too deeply for the stack, is a syntax fault.
 */
export function readYamlDocument(text: string): YamlDocument {
  try {
    return read(text)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { value: undefined, faults: [TOO_DEEP], warnings: [], lineOf: () => undefined }
  }
}

function read(text: string): YamlDocument {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    // With 'silent' the parser does not report a second document.
    logLevel: 'error',
    // The parser's own check compares every pair of keys, which takes quadratic time.
    uniqueKeys: false,
  })
  const lineAt = (offset: number): number => lines.linePos(offset).line
  const toFault = ({ message, pos }: Document['errors' | 'warnings'][number]) => {
    // The parser reports its own stack overflow as an error of the text.
    const isOverflow = /call stack|recursion/i.test(message)
    return { type: 'syntax', message: isOverflow ? TOO_DEEP.message : message, line: lineAt(pos[0]) } as const
  }
  const isSecondDocument = ({ code }: Document['errors'][number]): boolean => code === 'MULTIPLE_DOCS'
  const errors = document.errors.filter(error => !isSecondDocument(error)).slice(0, MOST_FAULTS)
  const warnings = [...document.errors.filter(isSecondDocument), ...document.warnings].map(toFault)
  const index: NodeIndex = new WeakMap()
  const lineOf: YamlDocument['lineOf'] = key => {
    const offset = offsetOf(document, key, index)
    return offset === undefined ? undefined : lineAt(offset)
  }
  if (errors.length > 0) return { value: undefined, faults: errors.map(toFault), warnings, lineOf }
  const repeated = repeatedKeys(document).map(({ value, range }) => ({
    type: 'repeated-key' as const,
    key: String(value),
    line: lineAt(range?.[0] ?? 0),
  }))
  try {
    return { value: document.toJS({ maxAliasCount: 100 }) as unknown, faults: repeated, warnings, lineOf }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { value: undefined, faults: [...repeated, { type: 'syntax', message }], warnings, lineOf }
  }
}

function repeatedKeys(document: Document): readonly Scalar[] {
  const found: Scalar[] = []
  visit(document, {
    Map(_key, map) {
      const seen = new Set<unknown>()
      for (const { key } of map.items) {
        if (!isScalar(key)) continue
        if (seen.has(key.value)) found.push(key)
        seen.add(key.value)
      }
    },
  })
  return found
}

/** Nodes by key, for each collection that was searched. A search from the start for every key would take quadratic time. */
type NodeIndex = WeakMap<object, ReadonlyMap<string, unknown>>

/** Returns the offset of a key in the text, or that of its nearest parent. */
function offsetOf(document: Document, key: readonly (string | number)[], index: NodeIndex): number | undefined {
  let node: unknown = document.contents
  let offset: number | undefined
  for (const part of key) {
    if (!isCollection(node)) break
    const items = index.get(node) ?? itemsByKey(node)
    index.set(node, items)
    const item = items.get(String(part))
    if (item === undefined) break
    const anchor = isPair(item) ? item.key : item
    offset = (anchor as { readonly range?: readonly number[] | null } | null)?.range?.[0] ?? offset
    node = isPair(item) ? item.value : item
  }
  return offset
}

/** Returns the items of a map by their keys, of which the first counts, or the items of a list by their positions. */
function itemsByKey({ items }: { readonly items: readonly unknown[] }): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>()
  for (const [position, item] of items.entries()) {
    const key = isPair(item) ? String(item.key) : String(position)
    if (!found.has(key)) found.set(key, item)
  }
  return found
}
