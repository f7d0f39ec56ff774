import { createRuntime, defineAgent, type Run } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { LiveRuns } from './live-runs.ts'

const runtime = createRuntime({
  agents: [defineAgent({ name: 'guide', model: scriptedModel(() => ({ hang: true })) })],
})
const begin = (sessionId: string) => (): Run => runtime.run('guide', 'go', { sessionId })
const open = { maxRuns: 10, maxRunsPerScope: 10 }

describe('LiveRuns', () => {
  it('a run is found, stopped and counted only in its scope', async () => {
    const live = new LiveRuns({ maxRuns: 3, maxRunsPerScope: 1 })
    const run = live.start('alice', 'talk', begin('talk'))
    expect([live.find('alice', run.runId), live.find('bob', run.runId)]).toEqual([run, undefined])
    expect([live.inSession('alice', 'talk'), live.inSession('bob', 'talk')]).toEqual([run, undefined])
    live.stop('bob', run.runId)
    expect(live.isStopping(run.runId)).toBe(false)
    const other = live.start('bob', 'talk', begin('talk'))
    expect(() => live.start('bob', undefined, begin('more'))).toThrow(
      'You have reached your limit of 1 concurrent runs.',
    )
    live.stop('alice', run.runId)
    expect(live.isStopping(run.runId)).toBe(true)
    expect((await run.result).status).toBe('cancelled')
    await expect.poll(() => live.count).toBe(1)
    await other.cancel()
  })

  it('the place of a run that has ended is free', async () => {
    const live = new LiveRuns({ maxRuns: 1, maxRunsPerScope: 1 })
    const run = live.start('alice', undefined, begin('one'))
    expect(() => live.checkCapacity('bob')).toThrow('The server has reached its limit of 1 concurrent runs.')
    await run.cancel()
    await expect.poll(() => live.count).toBe(0)
    live.checkCapacity('bob')
  })

  it('a closed server begins no run', () => {
    const live = new LiveRuns(open)
    live.close()
    expect(() => live.start('alice', undefined, begin('one'))).toThrow('The server is shutting down.')
  })

  it('a session has one run at a time', async () => {
    const live = new LiveRuns(open)
    const run = live.start('alice', 'talk', begin('talk'))
    expect(() => live.start('alice', 'talk', begin('talk'))).toThrow('The session has an unfinished run.')
    const others = [live.start('alice', 'other', begin('other')), live.start('bob', 'talk', begin('talk'))]
    await run.cancel()
    await expect.poll(() => live.count).toBe(2)
    const next = live.start('alice', 'talk', begin('talk'))
    for (const each of [...others, next]) await each.cancel()
  })
})
