import { expect, it } from 'vitest'
import { readSourceFacts } from './source-facts.ts'

it('readSourceFacts gives the line of a specifier, not the first line of its statement', () => {
  const text = `import {\n  a,\n} from 'a'\n`
  expect(readSourceFacts('a.ts', text).references).toEqual([{ specifier: 'a', line: 3 }])
})
