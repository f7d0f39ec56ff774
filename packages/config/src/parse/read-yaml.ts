import { isCollection, isPair, isScalar, LineCounter, parseDocument, visit, type Document, type Scalar } from 'yaml'
import type { KeyPath } from './config-source.ts'
import type { ParsedFile } from './parsed-file.ts'
import type { Problem } from './problem.ts'

/** Reads YAML 1.2. Tags construct nothing; aliases are bounded. */
export function readYaml(text: string): ParsedFile {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    // Silence would also keep back that there are several documents.
    logLevel: 'error',
    // Its own check takes quadratic time.
    uniqueKeys: false,
  })
  const lineAt = (offset: number): number => lines.linePos(offset).line
  const faults = [...document.errors, ...document.warnings].map(({ pos, message }) => ({
    key: [],
    line: lineAt(pos[0]),
    detail: `is no YAML: ${withoutQuote(message)}`,
  }))
  const lineOf = (key: KeyPath): number | undefined => {
    const offset = offsetOf(document, key)
    return offset === undefined ? undefined : lineAt(offset)
  }
  if (faults.length > 0) return { value: undefined, problems: faults, lineOf }
  const repeated = repeatedKeys(document).map(({ value, range }) => ({
    key: [],
    line: lineAt(range?.[0] ?? 0),
    detail: `the key '${String(value)}' is there twice`,
  }))
  return { ...toValue(document, repeated), lineOf }
}

function toValue(document: Document, problems: readonly Problem[]): Pick<ParsedFile, 'value' | 'problems'> {
  try {
    return { value: document.toJS({ maxAliasCount: 100 }) as unknown, problems }
  } catch (error) {
    const detail = `is no YAML: ${withoutQuote(error instanceof Error ? error.message : String(error))}`
    return { value: undefined, problems: [...problems, { key: [], detail }] }
  }
}

/** The parser's words without the piece of text they are about. */
function withoutQuote(message: string): string {
  return message.replace(/(?<=Invalid escape sequence) .*|:\s.*|, so .*/s, '')
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

/** Where a key stands, or the nearest one above it that is written. */
function offsetOf(document: Document, key: KeyPath): number | undefined {
  let node: unknown = document.contents
  let offset: number | undefined
  for (const part of key) {
    if (!isCollection(node)) break
    const item: unknown = node.items.find((candidate, index) =>
      isPair(candidate) ? keyOf(candidate.key) === String(part) : index === part,
    )
    if (item === undefined) break
    const anchor = isPair(item) ? item.key : item
    offset = (anchor as { readonly range?: readonly number[] | null } | null)?.range?.[0] ?? offset
    node = isPair(item) ? item.value : item
  }
  return offset
}

function keyOf(key: unknown): string {
  return String(isScalar(key) ? key.value : key)
}
