import ts from 'typescript'
import { blank, blot, maskCode } from './mask-code.ts'
import type { Passage } from './passage.ts'

interface Range {
  readonly start: number
  readonly end: number
}

/** Returns the comments of a source file. Line comments on successive lines are one passage. */
export function findComments(source: ts.SourceFile): readonly Passage[] {
  return joinLines(source.text, findRanges(source)).map(({ start, end }) => ({
    kind: 'comment',
    start,
    text: maskCode(stripMarks(source.text.slice(start, end))),
  }))
}

/** Returns the ranges of comments. A comment mark inside a string, a template or a regular expression is skipped. */
function findRanges(source: ts.SourceFile): readonly Range[] {
  const literals = findLiterals(source)
  const found: Range[] = []
  const comment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//g
  let next = 0
  for (let match = comment.exec(source.text); match !== null; match = comment.exec(source.text)) {
    while (next < literals.length && (literals[next]?.end ?? 0) <= match.index) next += 1
    const literal = literals[next]
    if (literal !== undefined && literal.start <= match.index) comment.lastIndex = literal.end
    else found.push({ start: match.index, end: comment.lastIndex })
  }
  return found
}

function findLiterals(source: ts.SourceFile): readonly Range[] {
  const found: Range[] = []
  function visit(node: ts.Node): void {
    if (ts.isLiteralExpression(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      found.push({ start: node.getStart(source), end: node.end })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found.toSorted((a, b) => a.start - b.start)
}

function joinLines(text: string, ranges: readonly Range[]): readonly Range[] {
  const joined: Range[] = []
  for (const range of ranges) {
    const last = joined.at(-1)
    const gap = last === undefined ? '' : text.slice(last.end, range.start)
    const continues = text.startsWith('//', range.start) && /^[ \t]*\n[ \t]*$/.test(gap)
    if (last !== undefined && continues && text.startsWith('//', last.start)) {
      joined[joined.length - 1] = { start: last.start, end: range.end }
    } else joined.push(range)
  }
  return joined
}

function stripMarks(comment: string): string {
  return comment
    .replace(/^\/\*+|\*+\/$/g, blank)
    .replace(/^[ \t]*(\/\/+|\*(?!\*))/gm, blank)
    .replace(/(?<=@(?:param|typeParam)\s+)[\w.]+/g, blot)
}
