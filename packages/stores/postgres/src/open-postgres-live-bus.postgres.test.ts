import type { RunEvent } from '@parley/core'
import { describe, expect, inject, it } from 'vitest'
import { openPostgresLiveBus } from './open-postgres-live-bus.ts'

const delta = (runId: string, text: string): RunEvent => ({
  type: 'text.delta',
  turn: 1,
  text,
  runId,
  sessionId: 's',
  path: [],
  seq: 3,
  at: 1,
})

describe('a live bus over PostgreSQL', () => {
  it('the live bus delivers the events of one run in order from another connection, and no others', async () => {
    const options = { url: inject('postgresUrl'), schema: 'one' }
    await using here = openPostgresLiveBus(options)
    await using there = openPostgresLiveBus(options)
    await using elsewhere = openPostgresLiveBus({ ...options, schema: 'other' })
    const heard: RunEvent[] = []
    const last = Promise.withResolvers<void>()
    await using _subscription = await here.subscribe('mine', event => {
      heard.push(event)
      if (event.type === 'text.delta' && event.text === 'last') last.resolve()
    })
    elsewhere.publish(delta('mine', 'unheard'))
    for (let index = 0; index < 200; index++) {
      there.publish(delta('mine', `${index}`))
      there.publish(delta('yours', 'unheard'))
    }
    there.publish(delta('mine', 'last'))
    await last.promise
    const texts = Array.from({ length: 200 }, (_, index) => `${index}`)
    expect(heard.map(event => (event.type === 'text.delta' ? event.text : ''))).toEqual([...texts, 'last'])
  })

  it('the live bus drops events without a server, and closes', async () => {
    const bus = openPostgresLiveBus({ url: 'postgres://nobody@127.0.0.1:9/none' })
    for (let index = 0; index < 5_000; index++) bus.publish(delta('r', 'x'))
    await bus[Symbol.asyncDispose]()
    await expect(bus.subscribe('r', () => {})).rejects.toThrow('ECONNREFUSED')
  })

  it('openPostgresLiveBus rejects an invalid address', () => {
    expect(() => openPostgresLiveBus({ url: 'me:hidden@host' })).toThrow('postgres://')
  })
})
