import { randomInt as secureRandomInt } from 'node:crypto'
import { toolOk, type Tool, type ToolOutcome } from '@parley/core'
import { defineReadTool } from '../define-built-in.ts'
import type { InferInput } from '../infer-input.ts'

const input = {
  type: 'object',
  properties: {
    length: { type: 'integer', minimum: 8, maximum: 128, description: 'Characters. Default: 20.' },
    symbols: { type: 'boolean', description: 'Whether to include punctuation. Default: true.' },
  },
  additionalProperties: false,
} as const

const LETTERS_AND_DIGITS = ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz', '0123456789']
const SYMBOLS = '!#$%&()*+,-./:;<=>?@[]^_{|}~'

/** Returns an unpredictable integer from 0 up to, but not including, `limit`. */
export type RandomInt = (limit: number) => number

/** The tool `generate_password`. All passwords with at least one character of each kind are equally likely. */
export function passwordTool(
  randomInt: RandomInt = limit => secureRandomInt(limit),
): Tool<InferInput<typeof input>, ToolOutcome> {
  return defineReadTool({
    name: 'generate_password',
    description:
      'Makes a random password with at least one character of each kind. The password stays in the conversation: use it ' +
      'only where that is acceptable.',
    input,
    execute: ({ length = 20, symbols = true }) => {
      const kinds = symbols ? [...LETTERS_AND_DIGITS, SYMBOLS] : LETTERS_AND_DIGITS
      const all = kinds.join('')
      const size = Math.max(kinds.length, Math.min(length, 128))
      for (;;) {
        // Drawn again as a whole, because replacing single characters would make some passwords likelier than others.
        const password = Array.from({ length: size }, () => all.charAt(randomInt(all.length))).join('')
        if (kinds.every(kind => kind.split('').some(character => password.includes(character)))) {
          return toolOk(password, { password })
        }
      }
    },
  })
}
