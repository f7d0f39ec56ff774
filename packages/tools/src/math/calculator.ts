import { toolOk } from '@parley/core'
import { defineReadTool } from '../define-built-in.ts'
import { evaluateExpression } from './evaluate-expression.ts'

const DESCRIPTION = `Evaluates an arithmetic expression exactly where possible.
Operators: + - * / ^ (or **, right-associative) % (remainder, sign of the divisor) ! and parentheses; -2^2 is -4.
Functions: sqrt cbrt abs sign min max round(x, digits) floor ceil trunc log(x) (natural) log(x, base) ln log2 log10 exp
sin cos tan asin acos atan atan2 sinh cosh tanh (radians) rad(degrees) deg(radians). Constants: pi e tau.
Write multiplication out (2*pi) and numbers without separators (1234567, 1.5, 2e-3).`

/**
 * The tool `calculator`, which evaluates an `expression`. Integers are exact up to 1,000 digits. Other results are shown with
 * 15 significant digits. `structured` is `{ result }`: a number, or a string of digits for an integer that a JSON number
 * cannot hold exactly.
 */
export const calculator = defineReadTool({
  name: 'calculator',
  description: DESCRIPTION,
  input: {
    type: 'object',
    properties: { expression: { type: 'string', description: "What to compute, e.g. 'round(1234.5 * 1.19, 2)'." } },
    required: ['expression'],
    additionalProperties: false,
  },
  execute: ({ expression }) => {
    const value = evaluateExpression(expression)
    if (typeof value === 'number') {
      const shown = Number(value.toPrecision(15))
      return toolOk(String(shown), { result: shown })
    }
    const asNumber = Number(value)
    return toolOk(String(value), { result: Number.isSafeInteger(asNumber) ? asNumber : String(value) })
  },
})
