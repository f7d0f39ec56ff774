import ts from 'typescript'
import { literalText, type TextLiteral } from './literal-text.ts'
import { blot, maskCode } from './mask-code.ts'
import type { Passage } from './passage.ts'

const TEST_FUNCTIONS: ReadonlySet<string> = new Set(['it', 'test'])
/** Members of `it` whose call returns a test function: their first argument is not a name. */
const FACTORIES: ReadonlySet<string> = new Set(['each', 'for', 'skipIf', 'runIf', 'extend'])
const PLACEHOLDER = /%[a-z%]|\$[\w.]+/gi

/**
 * Returns the names given to `it` and `test`, also through chains such as `it.each(rows)('…')`. If a name starts with
 * `%s` and the rows are written in place, the first cell of each row is a name too. Names given to `describe` are free.
 */
export function findTestNames(source: ts.SourceFile): readonly Passage[] {
  const found: Passage[] = []
  function visit(node: ts.Node): void {
    const title = ts.isCallExpression(node) ? titleOf(node) : undefined
    if (title !== undefined) {
      const name = passageOf(source, title)
      found.push(name)
      if (source.text.startsWith('%s', name.start)) found.push(...cellsOf(node, source))
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function titleOf(call: ts.CallExpression): TextLiteral | undefined {
  const { expression: called } = call
  if (!TEST_FUNCTIONS.has(rootOf(called))) return undefined
  if (ts.isPropertyAccessExpression(called) && FACTORIES.has(called.name.text)) return undefined
  return firstLiteral(call.arguments[0])
}

/** Returns the identifier at the left end of a chain of calls and members. */
function rootOf(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text
  if (ts.isTaggedTemplateExpression(node)) return rootOf(node.tag)
  return ts.isCallExpression(node) || ts.isPropertyAccessExpression(node) ? rootOf(node.expression) : ''
}

function firstLiteral(node: ts.Expression | undefined): TextLiteral | undefined {
  if (node === undefined) return undefined
  if (ts.isBinaryExpression(node)) return firstLiteral(node.left)
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) ? node : undefined
}

function passageOf(source: ts.SourceFile, title: TextLiteral): Passage {
  const text = maskCode(literalText(source, title).replace(PLACEHOLDER, blot))
  return { kind: 'test-name', start: title.getStart(source) + 1, text }
}

function cellsOf(test: ts.Node, source: ts.SourceFile): readonly Passage[] {
  const table =
    ts.isCallExpression(test) && ts.isCallExpression(test.expression) ? test.expression.arguments[0] : undefined
  const rows = table === undefined ? undefined : withoutAssertion(table)
  if (rows === undefined || !ts.isArrayLiteralExpression(rows)) return []
  return rows.elements.flatMap(row => {
    const cell = firstLiteral(ts.isArrayLiteralExpression(row) ? row.elements[0] : row)
    // A single word is a value that the name shows, such as a status.
    return cell !== undefined && /\s/.test(cell.getText(source)) ? [passageOf(source, cell)] : []
  })
}

function withoutAssertion(node: ts.Expression): ts.Expression {
  return ts.isAsExpression(node) || ts.isSatisfiesExpression(node) ? withoutAssertion(node.expression) : node
}
