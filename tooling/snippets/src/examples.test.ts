import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { bundleExamples } from './bundle-examples.ts'
import { claimedOutput } from './claimed-output.ts'
import { listFiles } from './list-files.ts'
import { runExample } from './run-example.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const examples = listFiles(root, name => name.endsWith('.example.ts'))

describe('every example', () => {
  let programs: ReadonlyMap<string, string>
  beforeAll(async () => {
    programs = await bundleExamples(root, examples)
  }, 60_000)

  it('listFiles finds examples only in folders named examples', () => {
    expect(examples).toContain('packages/core/examples/define-tool.example.ts')
    expect(examples.filter(path => !/(^|\/)examples\//.test(path))).toEqual([])
  })

  it.concurrent.each(examples)('%s prints what it claims', { timeout: 60_000 }, async path => {
    const claimed = claimedOutput(readFileSync(join(root, path), 'utf8'))
    const { exitCode, output, errors } = await runExample(programs.get(path) ?? '')
    expect(errors).toBe('')
    expect(output).toEqual(claimed)
    expect(exitCode).toBe(0)
    expect(claimed).not.toEqual([])
  })
})
