import type { Json } from '@parley/core'
import { isCollection, isPair, isScalar, LineCounter, parseDocument, visit, type Document, type Scalar } from 'yaml'
import { createFileScope, isFields, type Fields, type FileScope, type KeyPath } from './file-scope.ts'
import { yamlExcess } from './yaml-excess.ts'

export interface Frontmatter {
  readonly fields: Fields
  readonly scope: FileScope
}

export interface FrontmatterOptions {
  /** Undefined for a file without one. */
  readonly text: string | undefined
  /** Line of the file it starts on. */
  readonly firstLine: number
  readonly path: string
  readonly warnings: string[]
}

/**
 * Reads the YAML between the fences. Tags construct nothing; aliases are bounded.
 * @throws ParleyError `config-invalid` naming file and line, when it is no YAML mapping.
 */
export function parseFrontmatter({ text = '', firstLine, path, warnings }: FrontmatterOptions): Frontmatter {
  const refuse = (line: number, detail: string): never =>
    createFileScope({ path, lineOf: () => line, warnings }).fail([], `invalid frontmatter: ${detail}`)
  const excess = yamlExcess(text)
  if (excess !== undefined) refuse(firstLine, excess)
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'silent',
    // Its own check takes quadratic time.
    uniqueKeys: false,
  })
  const lineAt = (offset: number): number => firstLine - 1 + lines.linePos(offset).line
  const [fault] = document.errors
  if (fault !== undefined) refuse(lineAt(fault.pos[0]), fault.message)
  const repeated = findRepeatedKey(document)
  if (repeated !== undefined)
    refuse(lineAt(rangeStart(repeated) ?? 0), `the key '${String(repeated.value)}' is there twice.`)
  const value = toPlain(document, detail => refuse(firstLine, detail))
  if (value !== null && !isFields(value)) return refuse(firstLine, 'it must be a mapping of keys.')
  const lineOf = (key: KeyPath): number | undefined => {
    const offset = offsetOf(document, key)
    return offset === undefined ? undefined : lineAt(offset)
  }
  return { fields: value ?? {}, scope: createFileScope({ path, lineOf, warnings }) }
}

function toPlain(document: Document, refuse: (detail: string) => never): Json {
  try {
    return (document.toJS({ maxAliasCount: 100 }) ?? null) as Json
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}

function findRepeatedKey(document: Document): Scalar | undefined {
  let found: Scalar | undefined
  visit(document, {
    Map(_key, map) {
      const seen = new Set<unknown>()
      for (const { key } of map.items) {
        if (!isScalar(key)) continue
        if (seen.has(key.value)) {
          found = key
          return visit.BREAK
        }
        seen.add(key.value)
      }
      return undefined
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
      isPair(candidate) ? String(candidate.key) === String(part) : index === part,
    )
    if (item === undefined) break
    const anchor = isPair(item) ? item.key : item
    offset = rangeStart(anchor) ?? offset
    node = isPair(item) ? item.value : item
  }
  return offset
}

function rangeStart(node: unknown): number | undefined {
  const range = (node as { readonly range?: readonly number[] | null } | null)?.range
  return range?.[0]
}
