import { describe, expect, it } from 'vitest'
import { compareEffects, isSameEffect } from './compare-effects.ts'

describe('compareEffects', () => {
  const line = { 'charges.txt\tcharged 5 EUR': 1 }

  it('compareEffects finds a line that is there once more', () => {
    expect(compareEffects([line, line], { 'charges.txt\tcharged 5 EUR': 2 })).toMatchObject({
      extra: ['charges.txt\tcharged 5 EUR'],
      missing: [],
    })
  })

  it('compareEffects finds a line that is missing', () => {
    expect(compareEffects([line, line], {})).toMatchObject({ extra: [], missing: ['charges.txt\tcharged 5 EUR'] })
  })

  it('compareEffects pairs a counter that is 2 with the 1 that it should be', () => {
    const clean = { 'count.txt\t1': 1 }
    expect(compareEffects([clean, clean], { 'count.txt\t2': 1 })).toEqual({
      extra: [],
      missing: [],
      changed: [['count.txt\t1', 'count.txt\t2']],
    })
  })

  it('compareEffects ignores times and ids that differ between two runs that were not killed, but not their number', () => {
    const [one, other] = ['2026-01-01T10:00', '2026-01-02T11:01'].map(at => ({ [`log\tsent at ${at}`]: 1 })) as [
      object,
      object,
    ]
    const clean = [one, other] as [Record<string, number>, Record<string, number>]
    expect(isSameEffect(compareEffects(clean, { 'log\tsent at 2027-05-06T07:08': 1 }))).toBe(true)
    const twice = { 'log\tsent at 2027-05-06T07:08': 1, 'log\tsent at 2027-05-06T07:09': 1 }
    expect(compareEffects(clean, twice).extra).toHaveLength(1)
  })

  it('compareEffects compares exactly what is the same in both runs', () => {
    expect(isSameEffect(compareEffects([line, line], { 'charges.txt\tcharged 6 EUR': 1 }))).toBe(false)
  })

  it('compareEffects compares the number of lines that have nothing in common', () => {
    const clean = [{ 'keys\tabcxyz': 1 }, { 'keys\tqrstuv': 1 }] as const
    expect(isSameEffect(compareEffects(clean, { 'keys\tmnopqr': 1 }))).toBe(true)
    expect(isSameEffect(compareEffects(clean, { 'keys\tmnopqr': 1, 'keys\tzzzzzz': 1 }))).toBe(false)
  })

  it('compareEffects gives no verdict about a place whose number of lines differs without a kill', () => {
    expect(isSameEffect(compareEffects([{ 'log\ta': 1 }, { 'log\ta': 1, 'log\tb': 1 }], { 'log\tc': 9 }))).toBe(true)
  })

  it('compareEffects counts a number of the world as what it is', () => {
    const clean = { 'world.charges\t': 1 }
    expect(compareEffects([clean, clean], { 'world.charges\t': 2 }).extra).toEqual(['world.charges\t'])
    expect(compareEffects([clean, clean], {}).missing).toEqual(['world.charges\t'])
    const debit = { 'world.balance\t': -5 }
    expect(compareEffects([debit, debit], { 'world.balance\t': -10 }).extra).toEqual(['world.balance\t'])
  })
})
