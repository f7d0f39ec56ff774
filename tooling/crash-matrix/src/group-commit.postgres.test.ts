import { expect, it } from 'vitest'
import type { GroupKillPoint } from './__fixtures__/group-worker.ts'
import { prepareGroupKiller } from './__fixtures__/prepare-group-killer.ts'

const killer = prepareGroupKiller()

// `group-commit.deep.test.ts` tries every statement.
it.each<readonly [GroupKillPoint, number]>([
  ['before', 5],
  ['sent', 6],
  ['answered', 7],
])(
  'another process finishes eight runs with every acknowledged entry after a kill %s the shared statement %i',
  async (point, statement) => {
    expect(await killer.killAt(point, statement)).toBe(true)
  },
)
