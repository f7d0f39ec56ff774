import { ParleyError, userMessage, type ModelRequest } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { emptyRequest, failure, play, say, scriptedModel } from '../__fixtures__/scripted-model.ts'
import { spread } from './spread.ts'

const conversation = (): ModelRequest => ({ ...emptyRequest, messages: [userMessage('hi')] })

describe('spread', () => {
  it('deals new conversations out in turn', async () => {
    const models = ['a', 'b', 'c'].map(id => scriptedModel(id, say(id)))
    const model = spread(models)
    for (let i = 0; i < 7; i++) await play(model, conversation())
    expect(models.map(({ calls }) => calls.length)).toEqual([3, 2, 2])
  })

  it('keeps a conversation that goes on with its model', async () => {
    const models = ['a', 'b'].map(id => scriptedModel(id, say(id)))
    const model = spread(models)
    await play(model, conversation())
    const request = conversation()
    for (let turn = 0; turn < 3; turn++)
      await play(model, { ...request, messages: [...request.messages, userMessage(`${turn}`)] })
    expect(models.map(({ calls }) => calls.length)).toEqual([1, 3])
  })

  it('asks the others in order when one fails, and comes back to it', async () => {
    const a = scriptedModel('a', say('a'))
    const b = scriptedModel('b', [], { error: failure() })
    const model = spread([a, b])
    await play(model, conversation())
    const request = conversation()
    for (let turn = 0; turn < 2; turn++) {
      const events = await play(model, request)
      const fallback = { from: 'acme/b', to: 'acme/a' }
      expect(events).toEqual([{ type: 'retry', attempt: 1, delayMs: 0, error: failure().info, fallback }, ...say('a')])
    }
    expect(b.calls).toHaveLength(2)
  })

  it('deals calls without messages out in turn too', async () => {
    const models = ['a', 'b'].map(id => scriptedModel(id, say(id)))
    const model = spread(models)
    for (let i = 0; i < 2; i++) await play(model)
    expect(models.map(({ calls }) => calls.length)).toEqual([1, 1])
    expect(model).toMatchObject({ provider: 'spread', id: 'acme/a|acme/b', info: {} })
  })

  it('refuses to be made of nothing', () => {
    expect(() => spread([])).toThrow(ParleyError)
  })
})
