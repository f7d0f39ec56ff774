import { ParleyError } from '@parley/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluateExpression } from './evaluate-expression.ts'

function failureOf(expression: string): string {
  try {
    evaluateExpression(expression)
  } catch (error) {
    if (ParleyError.is(error, 'tool-failed')) return error.info.detail
    throw error
  }
  return 'no failure'
}

describe('evaluateExpression', () => {
  it.each<[string, bigint | number]>([
    ['1 + 2 * 3', 7n],
    ['(1 + 2) * 3', 9n],
    ['10 - 4 - 3', 3n],
    ['100 / 10 / 2', 5n],
    ['-2^2', -4n],
    ['(-2)^2', 4n],
    ['2^3^2', 512n],
    ['2**3**2', 512n],
    ['2^-3', 0.125],
    ['2^-5000', 0],
    ['-2^-2', -0.25],
    ['2 * -3', -6n],
    ['--2', 2n],
    ['+-+2', -2n],
    ['-7 % 3', 2n],
    ['7 % -3', -2n],
    ['-7.5 % 2', 0.5],
    ['2 * 7 % 4', 2n],
    ['3!', 6n],
    ['2^3!', 64n],
    ['-3!', -6n],
    ['(3!)!', 720n],
    ['100! / 98!', 9900n],
    ['1/3', 1 / 3],
    ['6/3', 2n],
    ['7/2', 3.5],
    ['1.5e3 + 2E-1', 1500.2],
    ['.5 + 5.', 5.5],
    ['0xff + 0b101 + 0o17', 275n],
    ['2 × 3 ÷ 4 − 1', 0.5],
    ['sqrt(16)', 4n],
    ['sqrt(2)', Math.SQRT2],
    ['sqrt(10^400)', 10n ** 200n],
    ['cbrt(-8)', -2],
    ['abs(-2^70)', 2n ** 70n],
    ['min(3, 2^70, 1.5)', 1.5],
    ['max(1, 2^70)', 2n ** 70n],
    ['round(2.5)', 3n],
    ['round(-2.5)', -3n],
    ['round(1.005, 2)', 1.01],
    ['round(1234.5 * 1.19, 2)', 1469.05],
    ['round(1250, -2)', 1300n],
    ['round(-1250, -2)', -1300n],
    ['round(0.1, 50)', 0.1],
    ['floor(-1.5)', -2n],
    ['ceil(1.2) + 2^60', 2n + 2n ** 60n],
    ['trunc(-1.9)', -1n],
    ['sign(-3.2)', -1n],
    ['ln(e)', 1],
    ['log(e^2)', 2],
    ['log(8, 2)', 3],
    ['log(125, 5)', 3],
    ['log10(1000)', 3],
    ['log2(2^100)', 100],
    ['log10(10^500)', 500],
    ['exp(0)', 1],
    ['sin(pi / 2)', 1],
    ['cos(0)', 1],
    ['atan2(1, 1) * 4', Math.PI],
    ['deg(pi)', 180],
    ['rad(180) - pi', 0],
    ['tau / 2', Math.PI],
    ['Math.sqrt(9) + PI - pi', 3],
    ['0^0', 1n],
    ['9007199254740993 * 3', 27021597764222979n],
    ['2^100 - 1', 2n ** 100n - 1n],
    ['10^400 / 10^399', 10n],
    ['(10^400 + 1) / 10^399', 10],
    ['12345678901234567890 % 97', 12345678901234567890n % 97n],
  ])('evaluateExpression evaluates %s to %s', (expression, value) => {
    const result = evaluateExpression(expression)
    if (typeof value === 'bigint') expect(result).toBe(value)
    else expect(result).toBeCloseTo(value, 12)
  })

  it.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['1,234', "Write 1234, not '1,234'"],
    ['1_000', 'no separators'],
    ['1 234', 'side by side'],
    ['1.2.3', 'side by side'],
    ['2pi', 'Multiplication is written out'],
    ['2(3)', 'Multiplication is written out'],
    ['(1)(2)', 'Multiplication is written out'],
    ['5%', 'percentage'],
    ['(5%) * 2', 'percentage'],
    ['3!!', '(x!)!'],
    ['foo(2)', "'foo' is not known. Functions: sqrt"],
    ['constructor', "'constructor' is not known"],
    ['sqrt', 'Write sqrt(x)'],
    ['sin 3', 'Write sin(x)'],
    ['sqrt()', 'takes 1 argument, not 0'],
    ['sqrt(1, 2)', 'takes 1 argument, not 2'],
    ['log(1, 2, 3)', 'takes 1 or 2 arguments, not 3'],
    ['1/0', 'Division by zero'],
    ['1.5/0', 'Division by zero'],
    ['5 % 0', 'division by zero'],
    ['0^-1', 'divides by zero'],
    ['(-8)^(1/3)', 'cbrt'],
    ['sqrt(-1)', 'no real value'],
    ['ln(0)', 'above 0'],
    ['log(8, 1)', 'base'],
    ['asin(2)', '-1 to 1'],
    ['(1.5)!', 'integers'],
    ['(-1)!', 'negative'],
    ['450!', 'too large'],
    ['9^9^9', 'too large'],
    ['2^10000000000000000000', 'too large'],
    ['1e308 * 10', 'too large'],
    ['1e400', 'too large'],
    ['exp(1000)', 'too large'],
    ['(1', "A ')' is missing for the '('. (at character 1)"],
    ['max(1', "missing for 'max('"],
    ['1)', "no matching '('"],
    ['3 + * 4', "not '*'. (at character 5)"],
    ['3 +', 'expected, not the end'],
    ['x = 5', "'=' is not part"],
    ['$5 + 3', 'currency'],
    ['√4', 'sqrt(x)'],
    ['[1]', 'round parentheses'],
    ['"a"', 'not part of an expression'],
    ['round(1.5, 0.5)', 'integer number of digits'],
  ])('evaluateExpression rejects %j and says how to write it', (expression, words) => {
    expect(failureOf(expression)).toContain(words)
  })

  it.each([
    ['parentheses', '('.repeat(10_000) + '1' + ')'.repeat(10_000)],
    ['signs', '-'.repeat(10_000) + '1'],
    ['powers', `${'1^'.repeat(10_000)}1`],
    ['functions', `${'abs('.repeat(10_000)}1`],
  ])('evaluateExpression rejects 10,000 nested %s with a clear failure', (_, expression) => {
    expect(failureOf(expression)).toContain('nested more than 200 levels deep')
  })

  it('evaluateExpression takes time linear in the length of an expression', () => {
    expect(evaluateExpression(`${'1+'.repeat(49_999)}1`)).toBe(50_000n)
    expect(failureOf('1'.repeat(100_000))).toContain('more than 1000 digits')
    expect(failureOf('1'.repeat(100_001))).toContain('Split it up')
  })

  it('evaluateExpression is exact for sums, differences and products of integers', () => {
    const { term } = fc.letrec<{ term: { text: string; value: bigint } }>(tie => ({
      term: fc.oneof(
        { maxDepth: 5 },
        fc.bigInt({ min: 0n, max: 10n ** 30n }).map(value => ({ text: String(value), value })),
        fc.tuple(tie('term'), fc.constantFrom('+', '-', '*'), tie('term')).map(([a, operator, b]) => ({
          text: `(${a.text} ${operator} ${b.text})`,
          value: operator === '+' ? a.value + b.value : operator === '-' ? a.value - b.value : a.value * b.value,
        })),
      ),
    }))
    fc.assert(
      fc.property(term, ({ text, value }) => {
        expect(evaluateExpression(text)).toBe(value)
      }),
    )
  })

  it('evaluateExpression reads an expression without redundant parentheses like a fully parenthesised one', () => {
    const { tree } = fc.letrec<{ tree: Tree }>(tie => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.integer({ min: 0, max: 9 }).map(value => ({ full: String(value), lean: String(value), binding: 9 })),
        fc.tuple(tie('tree'), fc.constantFrom('+', '-', '*', '/', '%', '^'), tie('tree')).map(joinTrees),
        tie('tree').map(({ full, lean, binding }) => ({
          full: `(-(${full}))`,
          lean: `-${binding < 3 ? `(${lean})` : lean}`,
          binding: 3,
        })),
      ),
    }))
    fc.assert(
      fc.property(tree, ({ full, lean }) => {
        expect(outcomeOf(lean)).toEqual(outcomeOf(full))
      }),
      { numRuns: 1_000 },
    )
  })

  it('evaluateExpression answers any text with a value or with tool-failed', () => {
    const token = fc.constantFrom(
      '1',
      '2.5',
      '+',
      '-',
      '*',
      '/',
      '^',
      '%',
      '!',
      '(',
      ')',
      ',',
      'pi',
      'sqrt',
      'max',
      'e',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(token, { maxLength: 30 }), fc.string(), (tokens, tail) => {
        for (const text of [tokens.join(''), tokens.join(' ') + tail]) {
          try {
            expect(Number.isNaN(Number(evaluateExpression(text)))).toBe(false)
          } catch (error) {
            if (!ParleyError.is(error, 'tool-failed')) throw error
          }
        }
      }),
      { numRuns: 500 },
    )
  })
})

interface Tree {
  readonly full: string
  readonly lean: string
  readonly binding: number
}

const BINDINGS: Readonly<Record<string, number>> = { '+': 1, '-': 1, '*': 2, '/': 2, '%': 2, '^': 4 }

function joinTrees([left, operator, right]: [Tree, string, Tree]): Tree {
  const binding = BINDINGS[operator] ?? 0
  const power = operator === '^'
  const leanLeft = left.binding > binding || (left.binding === binding && !power) ? left.lean : `(${left.lean})`
  const leanRight = right.binding > binding || (right.binding === binding && power) ? right.lean : `(${right.lean})`
  return { full: `((${left.full}) ${operator} (${right.full}))`, lean: `${leanLeft} ${operator} ${leanRight}`, binding }
}

/** Returns the value, or the failure without its position, which differs between spellings. */
function outcomeOf(expression: string): bigint | number | string {
  try {
    return evaluateExpression(expression)
  } catch (error) {
    if (ParleyError.is(error, 'tool-failed')) return error.info.detail.replace(/ \(at character.*/, '')
    throw error
  }
}
