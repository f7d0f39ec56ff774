import { expect, it } from 'vitest'
import { shortenTypes } from './shorten-types.ts'

it('shortenTypes replaces the fields of object types in long lines, and keeps short lines', () => {
  const fields = Array.from({ length: 40 }, (_, index) => `\`field${index}\`: \`string\`;`).join(' ')
  const type = `\\{ ${fields} \`inner\`: \\{ \`a\`: \`b\`; \\}; \\}`
  expect(shortenTypes(`short \\{ \`a\`: \`b\`; \\}\n> **f**(): ${type} \\| ${type} \\| \`null\``)).toBe(
    'short \\{ `a`: `b`; \\}\n> **f**(): \\{ … \\} \\| `null`',
  )
})
