// Deep: it kills and replaces servers while clients read from them.
import { expect, it } from 'vitest'
import { runServerStorm } from './__fixtures__/server-storm.ts'

it('no run is lost and no payment is made twice when servers are killed and replaced under other host names', async () => {
  const report = await runServerStorm({ kills: 2, streams: 6, random: Math.random, onProgress: () => {} })
  expect(report.faults).toEqual([])
  expect(report).toMatchObject({ kills: 2, failed: 0 })
  expect(report.losses).toBeGreaterThan(0)
  expect(report.effects).toBeGreaterThan(5)
}, 600_000)
