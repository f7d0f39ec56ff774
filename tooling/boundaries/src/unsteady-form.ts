import ts from 'typescript'

/** The shortest guard of a test in milliseconds. A loaded machine needs seconds for what otherwise takes milliseconds. */
const MIN_GUARD_MS = 30_000
/** A shorter `AbortSignal.timeout` is meant to expire. */
const MIN_SIGNAL_MS = 1_000

const TESTS: ReadonlySet<string> = new Set([
  'it',
  'test',
  'describe',
  'beforeAll',
  'beforeEach',
  'afterAll',
  'afterEach',
])
const WAITS: ReadonlySet<string> = new Set(['vi.waitFor', 'vi.waitUntil'])
const SLEEPS: ReadonlySet<string> = new Set(['sleep', 'delay', 'wait', 'pause', 'setTimeout'])
const UPPER_BOUNDS: ReadonlySet<string> = new Set(['toBeLessThan', 'toBeLessThanOrEqual'])
const PROCESS_EVENTS: ReadonlySet<string> = new Set([
  'unhandledRejection',
  'uncaughtException',
  'rejectionHandled',
  'warning',
])
const CLOCKS = /\b(performance|Date)\.now\(\)/
const DURATION = /^(ms|took|elapsed|elapsedMs|seconds)$/
const FREE_PORT = /^\w*(free|unused|available)Port$/i

/**
 * Returns why the result of a test can depend on the speed of the machine or on other test files of the process.
 * `undefined` if it cannot, or if a comment above the statement, `// Steady: REASON`, says why it does not.
 */
export function findUnsteadyForm(node: ts.Node): string | undefined {
  const found = describeForm(node)
  return found === undefined || isExcused(node) ? undefined : found
}

function describeForm(node: ts.Node): string | undefined {
  if (ts.isExpressionStatement(node)) return describeSleep(node)
  if (ts.isFunctionDeclaration(node) && FREE_PORT.test(node.name?.text ?? ''))
    return `${node.name?.text} finds a port that another process can take; bind port 0 and read the address`
  if (ts.isBinaryExpression(node)) return describeBinary(node)
  return ts.isCallExpression(node) ? (describeGuard(node) ?? describeCall(node)) : undefined
}

/** A sleep before an assertion. */
function describeSleep(node: ts.ExpressionStatement): string | undefined {
  if (!ts.isAwaitExpression(node.expression) || !isSleep(node.expression.expression)) return undefined
  const { parent } = node
  if (!ts.isBlock(parent) && !ts.isSourceFile(parent)) return undefined
  const next = parent.statements[parent.statements.indexOf(node) + 1]
  if (next === undefined || !/\bexpect\(/.test(next.getText())) return undefined
  return 'a sleep before an assertion; wait for the fact, with expect.poll if nothing announces it'
}

function isSleep(node: ts.Expression): boolean {
  if (ts.isNewExpression(node)) return /^new Promise\b.*=> (void )?setTimeout\(/s.test(node.getText())
  return ts.isCallExpression(node) && SLEEPS.has(node.expression.getText()) && numberOf(node.arguments[0]) !== undefined
}

function describeBinary({ left, operatorToken, parent }: ts.BinaryExpression): string | undefined {
  const { kind } = operatorToken
  if (kind === ts.SyntaxKind.EqualsToken && left.getText() === 'globalThis.fetch')
    return 'an assignment to fetch, which other files of the process use; pass a fetch, or call vi.stubGlobal'
  const isBound = kind === ts.SyntaxKind.LessThanToken || kind === ts.SyntaxKind.LessThanEqualsToken
  const isLoop = ts.isWhileStatement(parent) || ts.isForStatement(parent)
  return isBound && !isLoop && isElapsed(left) ? ELAPSED : undefined
}

const ELAPSED = 'an upper bound on elapsed time; count, use a fake clock, or await the fact'

function isElapsed(node: ts.Node): boolean {
  return (
    ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.MinusToken && CLOCKS.test(node.getText())
  )
}

/** A limit that ends a test instead of testing the product. */
function describeGuard({ expression, arguments: given }: ts.CallExpression): string | undefined {
  const name = expression.getText()
  const limit = given.map(limitOf).find(ms => ms !== undefined)
  const isGuard = TESTS.has(rootOf(expression)) || WAITS.has(name) || name === 'expect.poll'
  if (WAITS.has(name) && limit === undefined)
    return `${name} without a limit waits 1 s; use expect.poll, or give a limit`
  if (name === 'AbortSignal.timeout' && (limit ?? 0) < MIN_SIGNAL_MS) return undefined
  if (limit === undefined || limit >= MIN_GUARD_MS || !(isGuard || name === 'AbortSignal.timeout')) return undefined
  return `a guard of ${limit} ms; a guard that only ends a hanging test is at least ${MIN_GUARD_MS} ms`
}

function describeCall(node: ts.CallExpression): string | undefined {
  const { expression, arguments: given } = node
  const [first, second] = given
  const name = expression.getText()
  if (ts.isPropertyAccessExpression(expression) && UPPER_BOUNDS.has(expression.name.text)) {
    const actual = ts.isCallExpression(expression.expression) ? expression.expression.arguments[0] : undefined
    if (actual !== undefined && (isElapsed(actual) || DURATION.test(actual.getText()))) return ELAPSED
  }
  if (/^process\.(on|once)$/.test(name) && first !== undefined && PROCESS_EVENTS.has(textOf(first)))
    return `a listener on '${textOf(first)}', which other files of the process cause too; start a process for it`
  if (name === 'once' && second !== undefined && textOf(second) === 'close' && /socket/i.test(first?.getText() ?? ''))
    return 'events.once rejects if the socket reports a reset before it closes; listen to close alone'
  if (/^(path\.|posix\.)?(join|resolve)$/.test(name) && /^(os\.)?tmpdir\(\)$/.test(first?.getText() ?? '')) {
    const isTemplate = ts.isCallExpression(node.parent) && /mkdtemp(Sync)?$/.test(node.parent.expression.getText())
    return isTemplate ? undefined : 'a fixed path below the folder for temporary files; use mkdtemp'
  }
  return undefined
}

/** Returns the limit that an argument states: a number, or the field `timeout` of an object. */
function limitOf(node: ts.Expression): number | undefined {
  // A constant holds the limit or the options.
  if (ts.isIdentifier(node)) return Number.POSITIVE_INFINITY
  if (!ts.isObjectLiteralExpression(node)) return numberOf(node)
  for (const property of node.properties) {
    if (!ts.isPropertyAssignment(property) || property.name.getText() !== 'timeout') continue
    return numberOf(property.initializer) ?? Number.POSITIVE_INFINITY
  }
  return undefined
}

function numberOf(node: ts.Expression | undefined): number | undefined {
  return node !== undefined && ts.isNumericLiteral(node) ? Number(node.text) : undefined
}

function textOf(node: ts.Expression): string {
  return ts.isStringLiteralLike(node) ? node.text : ''
}

/** Returns `it` for `it.each([…])('name', …)`. */
function rootOf(node: ts.Expression): string {
  if (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)) return rootOf(node.expression)
  return ts.isIdentifier(node) ? node.text : ''
}

function isExcused(node: ts.Node): boolean {
  const source = node.getSourceFile()
  for (let at: ts.Node = node; !ts.isSourceFile(at); at = at.parent) {
    const comments = ts.getLeadingCommentRanges(source.text, at.pos) ?? []
    if (comments.some(({ pos, end }) => /^\/\/ Steady: \w/.test(source.text.slice(pos, end)))) return true
    if (ts.isStatement(at)) return false
  }
  return false
}
