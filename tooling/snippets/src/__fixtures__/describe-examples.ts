import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { bundleExamples } from '../bundle-examples.ts'
import { claimedOutput } from '../claimed-output.ts'
import { listFiles } from '../list-files.ts'
import { runExample } from '../run-example.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** Paths of all examples of the repository. */
export const examples: readonly string[] = listFiles(root, name => name.endsWith('.example.ts'))

/** Describes examples: each runs in a process of its own and prints what its comments claim. */
export function describeExamples(chosen: readonly string[]): void {
  describe('examples', () => {
    let programs: ReadonlyMap<string, string>
    beforeAll(async () => {
      programs = await bundleExamples(root, chosen)
    })

    it.concurrent.each(chosen)('%s prints what it claims', async path => {
      const claimed = claimedOutput(readFileSync(join(root, path), 'utf8'))
      const { exitCode, output, errors } = await runExample(programs.get(path) ?? '')
      expect(errors).toBe('')
      expect(output).toEqual(claimed)
      expect(exitCode).toBe(0)
      expect(claimed).not.toEqual([])
    })
  })
}
