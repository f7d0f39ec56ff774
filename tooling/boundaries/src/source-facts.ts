import ts from 'typescript'
import { findUnsteadyForm } from './unsteady-form.ts'

/** A module specifier and its line. */
export interface ModuleReference {
  readonly specifier: string
  readonly line: number
}

/** A banned expression or statement and its line. */
export interface BannedForm {
  readonly rule: 'export-all' | 'vi-mock' | 'ambient' | 'kept-alive' | 'steady'
  readonly text: string
  readonly line: number
}

/** The size of a class. */
export interface ClassSize {
  readonly name: string
  /** Number of fields, accessors, constructors and methods. */
  readonly members: number
  readonly lines: number
  /** Line number of its beginning, from 1. */
  readonly line: number
}

/** Facts about one source text that the rules need. */
export interface SourceFacts {
  readonly references: readonly ModuleReference[]
  readonly banned: readonly BannedForm[]
  readonly classes: readonly ClassSize[]
}

const AMBIENT: ReadonlySet<string> = new Set(['Date.now', 'Math.random', 'process.env'])
const MOCKS: ReadonlySet<string> = new Set(['vi.mock', 'vi.doMock'])
const ASSIGNMENTS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsToken,
  ts.SyntaxKind.QuestionQuestionEqualsToken,
  ts.SyntaxKind.BarBarEqualsToken,
])
/** Files that tests consist of. */
const TEST_FILE = /\.test\.tsx?$|\/__fixtures__\/|^packages\/testing\/src\//
const RESOLVERS: ReadonlySet<string> = new Set(['require', 'require.resolve', 'import.meta.resolve'])

/** Finds every reference to another module, type-only and dynamic references included, and every banned form. */
export function readSourceFacts(file: string, text: string): SourceFacts {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const references: ModuleReference[] = []
  const banned: BannedForm[] = []
  const classes: ClassSize[] = []
  const isTest = TEST_FILE.test(file)
  const lineOf = (node: ts.Node): number => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1

  function visit(node: ts.Node, inDefault: boolean): void {
    const specifier = specifierOf(node)
    if (specifier !== undefined) references.push({ specifier: specifier.text, line: lineOf(specifier) })
    const form = bannedForm(node)
    if (form !== undefined && !(form.rule === 'ambient' && inDefault)) banned.push({ ...form, line: lineOf(node) })
    const unsteady = isTest ? findUnsteadyForm(node) : undefined
    if (unsteady !== undefined) banned.push({ rule: 'steady', text: unsteady, line: lineOf(node) })
    if (ts.isClassLike(node)) {
      const line = lineOf(node)
      const lines = source.getLineAndCharacterOfPosition(node.end).line + 2 - line
      classes.push({ name: node.name?.text ?? 'this class', members: node.members.length, lines, line })
    }
    const initializer = ts.isBindingElement(node) || ts.isParameter(node) ? node.initializer : undefined
    ts.forEachChild(node, child => visit(child, inDefault || (child === initializer && initializer !== undefined)))
  }

  visit(source, false)
  return { references, banned, classes }
}

function specifierOf(node: ts.Node): ts.StringLiteralLike | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return literal(node.moduleSpecifier)
  if (ts.isExternalModuleReference(node)) return literal(node.expression)
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? literal(node.argument.literal) : undefined
  if (!ts.isCallExpression(node)) return undefined
  const called = node.expression
  const loads = called.kind === ts.SyntaxKind.ImportKeyword || RESOLVERS.has(dottedName(called))
  return loads ? literal(node.arguments[0]) : undefined
}

function bannedForm(node: ts.Node): Omit<BannedForm, 'line'> | undefined {
  if (ts.isExportDeclaration(node)) {
    const named = node.exportClause !== undefined && ts.isNamedExports(node.exportClause)
    return named ? undefined : { rule: 'export-all', text: 'export *' }
  }
  if (ts.isAccessor(node) && ts.isObjectLiteralExpression(node.parent))
    return { rule: 'kept-alive', text: 'a getter or setter' }
  if (ts.isBinaryExpression(node) && assignsFunction(node)) return { rule: 'kept-alive', text: 'a function' }
  if (!isAccess(node)) return undefined
  const name = dottedName(node)
  if (AMBIENT.has(name)) return { rule: 'ambient', text: name }
  return MOCKS.has(name) ? { rule: 'vi-mock', text: name } : undefined
}

type Access = ts.PropertyAccessExpression | ts.ElementAccessExpression

function isAccess(node: ts.Node): node is Access {
  return ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)
}

/** Whether a new function is assigned to a property. */
function assignsFunction({ left, operatorToken, right }: ts.BinaryExpression): boolean {
  if (!isAccess(left) || !ASSIGNMENTS.has(operatorToken.kind)) return false
  const value = ts.isParenthesizedExpression(right) ? right.expression : right
  return ts.isArrowFunction(value) || ts.isFunctionExpression(value)
}

function literal(node: ts.Node | undefined): ts.StringLiteralLike | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node : undefined
}

/** Returns `a.b` for `a.b`, `a['b']` and `globalThis.a.b`, and `''` for any other expression. */
function dottedName(node: ts.Node): string {
  if (ts.isIdentifier(node)) return node.text
  if (ts.isMetaProperty(node)) return 'import.meta'
  const key = ts.isPropertyAccessExpression(node)
    ? node.name
    : ts.isElementAccessExpression(node)
      ? literal(node.argumentExpression)
      : undefined
  if (key === undefined) return ''
  const owner = dottedName((node as Access).expression)
  return owner === 'globalThis' ? key.text : `${owner}.${key.text}`
}
