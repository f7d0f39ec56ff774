import { ZERO_USAGE, type ModelEvent, type RunEvent, type Usage } from '@parley/core'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '@parley/memory-store'
import { createRuntime } from '../../index.ts'
import { eventsOf, setup } from '../../runtime/__fixtures__/set-up-agent.ts'

const counted = (output: number): Usage => ({ ...ZERO_USAGE, input: 100, output })
const usage = (output: number): ModelEvent => ({ type: 'usage', usage: counted(output) })
const text = (words: string): ModelEvent => ({ type: 'text.delta', text: words })
const stop: ModelEvent = { type: 'finish', reason: 'stop' }

function spokenOf(events: readonly RunEvent[]): unknown[] {
  return events.flatMap((event): unknown[] => {
    if (event.type === 'model.usage') return [event.usage.output]
    return event.type === 'text.delta' ? [event.text] : []
  })
}

describe('usage that a provider reports while it answers', () => {
  it('usage that a provider reports during an answer is emitted with the next event', async () => {
    const { run } = setup([{ events: [usage(1), text('a'), text('b'), usage(9), stop] }])
    const events = await eventsOf(run())
    expect(spokenOf(events)).toEqual([1, 'a', 'b'])
    expect(events.find(({ type }) => type === 'model.usage')).toMatchObject({ turn: 1, usage: counted(1) })
    expect(events.find(({ type }) => type === 'model.called')).toMatchObject({ usage: counted(9) })
  })

  it('usage at the end of an answer is not emitted, because model.called has it', async () => {
    const { run } = setup([{ events: [text('a'), usage(9), stop] }, { events: [text('a'), stop, usage(9)] }])
    for (let round = 0; round < 2; round++) expect(spokenOf(await eventsOf(run()))).toEqual(['a'])
  })

  it('usage is emitted at most once a second, and the newest value is emitted', async () => {
    const gate = Promise.withResolvers<void>()
    const { clock, run, model } = setup([])
    const pieces = async function* (): AsyncIterable<ModelEvent> {
      for (let output = 1; output <= 5; output++) yield* [usage(output), text(`${output}`)]
      await gate.promise
      yield* [usage(6), text('6'), usage(7), text('7'), stop]
    }
    Object.assign(model, { stream: pieces })
    const reading = eventsOf(run())
    await clock.advance(1_000)
    gate.resolve()
    // A slow reader gets neighboring deltas joined.
    expect(spokenOf(await reading).filter(word => typeof word === 'number')).toEqual([1, 6])
  })

  it('usage that is reported during an answer is not journaled', async () => {
    const store = createMemoryStore()
    const model = scriptedModel([{ events: [usage(1), text('a'), stop] }])
    const run = createRuntime({ store, agents: [{ name: 'a', model }] }).run('a', 'go')
    expect(spokenOf(await eventsOf(run))).toEqual([1, 'a'])
    const entries = await store.read(run.runId)
    expect(entries.length).toBeGreaterThan(2)
    expect(entries.map(({ type }): string => type)).not.toContain('model.usage')
  })
})
