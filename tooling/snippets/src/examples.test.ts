import { sampleOf } from '@parley-tooling/test-run/sample-of'
import { expect, it } from 'vitest'
import { describeExamples, examples } from './__fixtures__/describe-examples.ts'

it('listFiles finds examples only in folders named examples', () => {
  expect(examples).toContain('packages/core/examples/define-tool.example.ts')
  expect(examples.filter(path => !/(^|\/)examples\//.test(path))).toEqual([])
})

// `examples.deep.test.ts` runs every example.
describeExamples(sampleOf(examples, 12))
