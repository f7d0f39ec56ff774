import { describe, expect, it } from 'vitest'
import { createTestApp } from './__fixtures__/open-test-server.ts'
import { problemOf } from './__fixtures__/problem-of.ts'
import { ask, eventsOf, readUntil } from './__fixtures__/sse.ts'

describe('a response id that the client chose', () => {
  it('another server that shares the store serves a response while the first server writes it', async () => {
    const gate = Promise.withResolvers<void>()
    const first = createTestApp({ script: [{ text: 'The answer.', until: gate.promise }] })
    await readUntil(await first.send('/process', { json: ask('go', { id: 'mine' }) }), '"created"')
    const second = createTestApp({ store: first.store })
    expect(await (await second.send('/process/mine')).json()).toMatchObject({ id: 'mine' })
    const following = second.send('/process/mine/events')
    gate.resolve()
    expect(eventsOf(await (await following).text()).at(-1)).toMatchObject({ id: 'mine', status: 'completed' })
  })

  it('another server that shares the store cancels, reads and removes the run of a response', async () => {
    const first = createTestApp({ script: [{ hang: true }] })
    await readUntil(await first.send('/process', { json: ask('go', { id: 'mine' }) }), '"created"')
    const second = createTestApp({ store: first.store })
    expect(await (await second.send('/process/mine/approvals')).json()).toMatchObject({ data: [] })
    const cancelled = await second.send('/process/mine/cancel', { json: {} })
    expect(await cancelled.json()).toMatchObject({ status: 'canceled' })
    expect((await second.send('/v1/responses/mine', { method: 'DELETE' })).status).toBe(200)
    expect((await first.store.runs({ scope: 'default' })).length).toBe(0)
  })

  it('an id that is used again names the newest run, on every server', async () => {
    const first = createTestApp({ script: [{ text: 'One.', delayMs: 5 }, 'Two.'] })
    for (const text of ['one', 'two'])
      await (await first.send('/process', { json: ask(text, { id: 'mine', stream: false }) })).text()
    const second = createTestApp({ store: first.store })
    for (const { send } of [first, second]) expect(await (await send('/process/mine')).text()).toContain('Two.')
    expect(await first.store.runs({ scope: 'default' })).toHaveLength(2)
  })

  it('an id that is used five times begins five runs', async () => {
    const { send, store } = createTestApp({ script: () => 'An answer.' })
    for (let use = 1; use <= 5; use++) {
      const response = await send('/process', { json: ask(`${use}`, { id: 'mine', stream: false }) })
      expect(await response.json()).toMatchObject({ id: 'mine', status: 'completed' })
    }
    expect(await store.runs({ scope: 'default' })).toHaveLength(5)
  })

  it('an id whose response another server still writes is rejected with 409', async () => {
    const first = createTestApp({ script: [{ hang: true }] })
    await readUntil(await first.send('/process', { json: ask('go', { id: 'mine' }) }), '"created"')
    const second = createTestApp({ store: first.store })
    expect(await problemOf(await second.send('/process', { json: ask('other', { id: 'mine' }) }))).toBe('409 CONFLICT')
    await first.send('/process/mine/cancel', { json: {} })
  })
})
