import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { TestSpecification, Vitest } from 'vitest/node'
import { LongFilesFirst } from './long-files-first.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
const MATRIX = 'tooling/crash-matrix/src/crash-matrix.postgres.test.ts'
const ATTACKS = 'packages/tools/src/shell/attacks.test.ts'

it('a run starts with the long files of each project, and other files follow', async () => {
  const cache = { getTestSpecificationResult: () => ({ failed: false, duration: 1 }) }
  const sequencer = new LongFilesFirst({ cache } as unknown as Vitest)
  const [postgres, unit] = ['postgres', 'unit'].map(name => ({
    name,
    config: { sequence: { groupOrder: 0 }, isolate: false },
  }))
  const files = [
    { moduleId: `${ROOT}/packages/core/src/a.test.ts`, project: unit },
    { moduleId: `${ROOT}/${ATTACKS}`, project: unit },
    { moduleId: `${ROOT}/packages/stores/b.postgres.test.ts`, project: postgres },
    { moduleId: `${ROOT}/${MATRIX}`, project: postgres },
  ] as unknown as TestSpecification[]
  const sorted = await sequencer.sort(files)
  expect(sorted.map(({ moduleId }) => path.relative(ROOT, moduleId))).toEqual([
    MATRIX,
    'packages/stores/b.postgres.test.ts',
    ATTACKS,
    'packages/core/src/a.test.ts',
  ])
  expect([MATRIX, ATTACKS].filter(file => !existsSync(path.join(ROOT, file)))).toEqual([])
})
