import ts from 'typescript'
import { findComments } from './find-comments.ts'
import { findTestNames } from './find-test-names.ts'
import { literalText, type TextLiteral } from './literal-text.ts'
import { maskCode } from './mask-code.ts'
import type { Passage } from './passage.ts'

export interface ReadSourceOptions {
  /** Whether string literals are texts for users; false for tests and fixtures, whose strings are data. */
  readonly messages: boolean
}

/**
 * Returns the prose of a source file: its comments, the names of its tests and, with `messages`, its string literals.
 */
export function readSource(file: string, text: string, { messages }: ReadSourceOptions): readonly Passage[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false)
  return [
    ...findComments(source),
    ...findTestNames(source),
    // A literal of fewer words is a name, an option or a separator.
    ...(messages ? findMessages(source).filter(passage => passage.text.trim().split(/\s+/).length >= 3) : []),
  ]
}

function findMessages(source: ts.SourceFile): readonly Passage[] {
  const found: Passage[] = []
  function visit(node: ts.Node): void {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) found.push(messageOf(source, node))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function messageOf(source: ts.SourceFile, literal: TextLiteral): Passage {
  return { kind: 'message', start: literal.getStart(source) + 1, text: maskCode(literalText(source, literal)) }
}
