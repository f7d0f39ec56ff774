import { ParleyError, userMessage, type ModelRequest } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { emptyRequest, failure, play, say, scriptedModel } from '../__fixtures__/scripted-model.ts'
import { spread } from './spread.ts'

const conversation = (): ModelRequest => ({ ...emptyRequest, messages: [userMessage('hi')] })

describe('spread', () => {
  it('spread assigns new conversations in turn', async () => {
    const models = ['a', 'b', 'c'].map(id => scriptedModel(id, say(id)))
    const model = spread(models)
    for (let i = 0; i < 7; i++) await play(model, conversation())
    expect(models.map(({ calls }) => calls.length)).toEqual([3, 2, 2])
  })

  it('spread keeps a conversation with its model', async () => {
    const models = ['a', 'b'].map(id => scriptedModel(id, say(id)))
    const model = spread(models)
    await play(model, conversation())
    const request = conversation()
    for (let turn = 0; turn < 3; turn++)
      await play(model, { ...request, messages: [...request.messages, userMessage(`${turn}`)] })
    expect(models.map(({ calls }) => calls.length)).toEqual([1, 3])
  })

  it('spread calls the other models in order if one fails, and returns to it for the next call', async () => {
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

  it('spread assigns calls without messages in turn', async () => {
    const models = ['a', 'b'].map(id => scriptedModel(id, say(id)))
    const model = spread(models)
    for (let i = 0; i < 2; i++) await play(model)
    expect(models.map(({ calls }) => calls.length)).toEqual([1, 1])
    expect(model).toMatchObject({ provider: 'spread', id: 'acme/a|acme/b', info: {} })
  })

  it('spread rejects an empty list of models', () => {
    expect(() => spread([])).toThrow(ParleyError)
  })
})
