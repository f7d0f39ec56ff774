import { describe, expect, it } from 'vitest'
import { SessionTurns } from './session-turns.ts'

describe('SessionTurns', () => {
  it('messages of one session begin in their order, and a refused message lets the next one begin', async () => {
    const turns = new SessionTurns()
    const begun: string[] = []
    const gate = Promise.withResolvers<void>()
    const first = turns.take('alice', 'talk', async () => {
      await gate.promise
      begun.push('first')
      throw new Error('refused')
    })
    const second = turns.take('alice', 'talk', async () => void begun.push('second'))
    gate.resolve()
    await expect(first).rejects.toThrow('refused')
    await second
    expect(begun).toEqual(['first', 'second'])
  })

  it('a message does not wait for a session of the same name in another scope', async () => {
    const turns = new SessionTurns()
    const gate = Promise.withResolvers<void>()
    const alices = turns.take('alice', 'talk', () => gate.promise)
    expect(await turns.take('bob', 'talk', () => Promise.resolve('begun'))).toBe('begun')
    gate.resolve()
    await alices
  })

  it('a message waits for the message before it, also if an earlier one has begun', async () => {
    const turns = new SessionTurns()
    const gate = Promise.withResolvers<void>()
    const begun: string[] = []
    const first = turns.take('alice', 'talk', async () => void begun.push('first'))
    const second = turns.take('alice', 'talk', async () => {
      await gate.promise
      begun.push('second')
    })
    await first
    const third = turns.take('alice', 'talk', async () => void begun.push('third'))
    await new Promise(resolve => setImmediate(resolve))
    gate.resolve()
    await Promise.all([second, third])
    expect(begun).toEqual(['first', 'second', 'third'])
  })
})
