import path from 'node:path'
import { expect, it } from 'vitest'
import type { TestSpecification, Vitest } from 'vitest/node'
import type { FileTimes } from './file-times.ts'
import { LongFilesFirst } from './long-files-first.ts'

const ROOT = path.join(import.meta.dirname, '../../..')

class Sequencer extends LongFilesFirst {
  protected override readonly times: FileTimes = {
    'long.test.ts': 20,
    'longest.test.ts': 30,
    'matrix.postgres.test.ts': 9,
  }
}

async function sort(sequence: Readonly<Record<string, unknown>>, names: readonly string[]): Promise<readonly string[]> {
  const cache = { getTestSpecificationResult: () => ({ failed: false, duration: 1 }) }
  const sequencer = new Sequencer({ cache, config: { sequence } } as unknown as Vitest)
  const [postgres, unit] = ['postgres', 'unit'].map(name => ({
    name,
    config: { sequence: { groupOrder: 0 }, isolate: false },
  }))
  const files = names.map(name => ({
    moduleId: `${ROOT}/${name}`,
    project: name.includes('postgres') ? postgres : unit,
  }))
  const sorted = await sequencer.sort(files as unknown as TestSpecification[])
  return sorted.map(({ moduleId }) => path.relative(ROOT, moduleId))
}

it('a run starts with the long files of each project, and other files follow', async () => {
  const names = ['a.test.ts', 'long.test.ts', 'longest.test.ts', 'b.postgres.test.ts', 'matrix.postgres.test.ts']
  expect(await sort({ shuffle: false }, names)).toEqual([
    'matrix.postgres.test.ts',
    'b.postgres.test.ts',
    'longest.test.ts',
    'long.test.ts',
    'a.test.ts',
  ])
})

it('a shuffled run has an order of files that its seed decides', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `${index}.test.ts`)
  const first = await sort({ shuffle: true, seed: 1 }, names)
  expect(await sort({ shuffle: true, seed: 1 }, names)).toEqual(first)
  expect(await sort({ shuffle: true, seed: 2 }, names)).not.toEqual(first)
  expect(first.toSorted()).toEqual(names.toSorted())
})
