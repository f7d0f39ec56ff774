import ts from 'typescript'
import { blot } from './mask-code.ts'

/** A node that holds text: a string or a template, with or without inserted values. */
export type TextLiteral = ts.StringLiteralLike | ts.TemplateExpression

/** Returns the characters between the quotes. Each inserted value of a template becomes `X…X` of the same length. */
export function literalText(source: ts.SourceFile, node: TextLiteral): string {
  const from = node.getStart(source) + 1
  const raw = source.text.slice(from, node.end - 1)
  if (!ts.isTemplateExpression(node)) return raw
  let masked = raw
  for (const span of node.templateSpans) {
    // The expression begins after `${`; the literal after it begins with `}`.
    const start = span.pos - 2 - from
    const end = span.literal.getStart(source) + 1 - from
    masked = masked.slice(0, start) + blot(masked.slice(start, end).replace(/\s/g, 'X')) + masked.slice(end)
  }
  return masked
}
