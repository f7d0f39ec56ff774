import { expect, it } from 'vitest'
import { runServerStorm } from './server-storm.ts'

it('no run is lost and no payment is made twice when servers are killed and replaced under other host names', async () => {
  const report = await runServerStorm({ kills: 4, streams: 8, seed: 7, onProgress: () => {} })
  expect(report.faults).toEqual([])
  expect(report).toMatchObject({ kills: 4, failed: 0 })
  expect(report.losses).toBeGreaterThan(0)
  expect(report.effects).toBeGreaterThan(7)
}, 60_000)
