// Deep: it kills a process at each of about 20 statements, in three ways.
import { expect, it } from 'vitest'
import type { GroupKillPoint } from './__fixtures__/group-worker.ts'
import { prepareGroupKiller } from './__fixtures__/prepare-group-killer.ts'

/** More statements than eight runs need, so that the last orders end without a kill. */
const MOST_STATEMENTS = 40

const killer = prepareGroupKiller()

it.each<GroupKillPoint>(['before', 'sent', 'answered'])(
  'another process finishes eight runs with every acknowledged entry, whichever shared statement the first process is killed at: %s',
  { timeout: 600_000 },
  async point => {
    let killPoints = 0
    for (let statement = 1; statement <= MOST_STATEMENTS; statement++) {
      const killed = await killer.killAt(point, statement)
      if (!killed) break
      killPoints += 1
    }
    // The start is a transaction of four statements, and each of the three turns appends twice.
    expect(killPoints).toBeGreaterThan(8)
    expect(killPoints).toBeLessThan(MOST_STATEMENTS)
  },
)
