import { describe, expect, it } from 'vitest'
import { ReplayBudget, type KeptStream } from './replay-budget.ts'

function setup() {
  const released: string[] = []
  const budget = new ReplayBudget({ maxKeptChars: 100, maxKeptCharsPerScope: 60 })
  const keep = (name: string, scope: string, ...[chars, readers = 0]: [number, number?]): (() => void) => {
    const stream: KeptStream = { scope, chars, readers, release: () => void released.push(name) }
    return budget.keep(stream)
  }
  return { budget, keep, released }
}

describe('ReplayBudget', () => {
  it('a scope that exceeds its share loses its oldest stream, and other scopes lose none', () => {
    const { budget, keep, released } = setup()
    keep('b1', 'bob', 30)
    keep('a1', 'alice', 40)
    keep('a2', 'alice', 30)
    expect([released, budget.chars]).toEqual([['a1'], 60])
  })

  it('a process that exceeds its limit loses the oldest streams of any scope', () => {
    const { budget, keep, released } = setup()
    for (const name of ['a', 'b', 'c', 'd']) keep(name, name, 40)
    expect([released, budget.chars]).toEqual([['a', 'b'], 80])
  })

  it('streams without a reader are released first', () => {
    const { keep, released } = setup()
    keep('read', 'a', 40, 1)
    keep('idle', 'b', 40)
    keep('new', 'c', 40, 1)
    expect(released).toEqual(['idle'])
    keep('more', 'd', 40, 1)
    expect(released).toEqual(['idle', 'read'])
  })

  it('a stream that does not fit alone is released at once, or with the next stream if it has a reader', () => {
    const { budget, keep, released } = setup()
    keep('small', 'b', 10)
    keep('idle', 'a', 70)
    expect([released, budget.chars]).toEqual([['idle'], 10])
    keep('read', 'a', 70, 1)
    expect([released, budget.chars]).toEqual([['idle'], 80])
    keep('next', 'a', 5, 1)
    expect([released, budget.chars]).toEqual([['idle', 'read'], 15])
  })

  it('a stream that was released elsewhere counts no longer', () => {
    const { budget, keep, released } = setup()
    const forget = keep('a1', 'alice', 60)
    forget()
    forget()
    keep('a2', 'alice', 60)
    expect([released, budget.chars]).toEqual([[], 60])
  })
})
