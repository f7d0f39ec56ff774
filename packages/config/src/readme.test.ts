import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('the README shows the example file unchanged', () => {
  const text = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
  expect(text('../README.md')).toContain(`\`\`\`yaml\n${text('../../../examples/config-file/parley.yaml')}\`\`\`\n`)
})
