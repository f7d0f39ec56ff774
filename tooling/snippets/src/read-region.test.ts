import { describe, expect, it } from 'vitest'
import { readRegion } from './read-region.ts'

const TEXT = `import 'a'

// #region outer
function f() {
  // #region inner
  return 1

  // #endregion
}
// #endregion
f()
`

describe('readRegion', () => {
  it('readRegion returns the lines of a region without their margin and without markers', () => {
    expect(readRegion(TEXT, 'inner')).toEqual({ code: 'return 1' })
    expect(readRegion(TEXT, 'outer')).toEqual({ code: 'function f() {\n  return 1\n\n}' })
  })

  it('readRegion returns the whole text without markers if no region is named', () => {
    expect(readRegion(TEXT)).toEqual({ code: `import 'a'\n\nfunction f() {\n  return 1\n\n}\nf()` })
  })

  it('readRegion reports a region that is missing, open or repeated', () => {
    expect(readRegion(TEXT, 'other')).toEqual({ problem: `there is no region 'other'` })
    expect(readRegion('// #region a\nf()\n', 'a')).toEqual({ problem: `region 'a' does not end` })
    const twice = '// #region a\n// #endregion\n// #region a\n// #endregion'
    expect(readRegion(twice, 'a')).toEqual({ problem: `region 'a' begins twice` })
  })
})
