import type { DeadLetter, DeadLetterStore } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { rejectAll } from './describe-signals.ts'
import { saidEntry } from './sample-entry.ts'

/** A dead-letter store under test. Disposing it closes the store behind it. */
export interface OpenDeadLetters extends AsyncDisposable {
  readonly deadLetters: DeadLetterStore
}

/**
 * Tests every promise of `DeadLetterStore`.
 * @param open Opens an empty store. The suite disposes it.
 */
export function describeDeadLetterContract(name: string, open: () => Promise<OpenDeadLetters>): void {
  describe(`${name} keeps the DeadLetterStore contract`, () => {
    it('the store returns a letter as it was put, with any event', async () => {
      await using opened = await open()
      const { deadLetters } = opened
      const odd = letter('a', { detail: 'it said \u0000 "no"\n', reason: 'timeout', attempts: 3 })
      await deadLetters.put(odd)
      expect(await deadLetters.get('a')).toEqual(odd)
      expect(await deadLetters.list()).toEqual([odd])
      expect(await deadLetters.get('b')).toBeUndefined()
    })

    it('a letter replaces the letter with the same id', async () => {
      await using opened = await open()
      const { deadLetters } = opened
      await deadLetters.put(letter('a', { failedAt: 5 }))
      await deadLetters.put(letter('a', { failedAt: 9, attempts: 7 }))
      expect(await deadLetters.list()).toEqual([letter('a', { failedAt: 9, attempts: 7 })])
      expect(await deadLetters.count()).toBe(1)
    })

    it('the store lists letters oldest first, by subscriber on request, and at most 100 by default', async () => {
      await using opened = await open()
      const { deadLetters } = opened
      for (const [id, failedAt, subscriber] of [
        ['c', 1, 'x'],
        ['b', 2, 'y'],
        ['a', 2, 'x'],
      ] as const) {
        await deadLetters.put(letter(id, { failedAt, subscriber }))
      }
      expect((await deadLetters.list()).map(({ id }) => id)).toEqual(['c', 'a', 'b'])
      expect((await deadLetters.list({ subscriber: 'x' })).map(({ id }) => id)).toEqual(['c', 'a'])
      expect((await deadLetters.list({ limit: 1 })).map(({ id }) => id)).toEqual(['c'])
      for (let index = 0; index < 100; index++) await deadLetters.put(letter(`n${index}`, { failedAt: 3 }))
      expect(await deadLetters.list()).toHaveLength(100)
      expect(await deadLetters.count()).toBe(103)
    })

    it('the store removes a letter once and returns whether the id was known', async () => {
      await using opened = await open()
      const { deadLetters } = opened
      await deadLetters.put(letter('a'))
      expect(await deadLetters.remove('a')).toBe(true)
      expect(await deadLetters.remove('a')).toBe(false)
      expect(await deadLetters.count()).toBe(0)
    })

    it('prune removes letters that are too old, and all but the newest of the others', async () => {
      await using opened = await open()
      const { deadLetters } = opened
      for (const [id, failedAt] of [
        ['a', 1],
        ['b', 2],
        ['c', 3],
        ['d', 3],
      ] as const) {
        await deadLetters.put(letter(id, { failedAt }))
      }
      expect(await deadLetters.prune({ before: 2, keep: 10 })).toBe(1)
      expect(await deadLetters.prune({ before: 0, keep: 1 })).toBe(2)
      expect((await deadLetters.list()).map(({ id }) => id)).toEqual(['d'])
      expect(await deadLetters.prune({ before: 0, keep: 0 })).toBe(1)
    })

    it('every call rejects with the reason of a signal that is aborted before it, and changes nothing', async () => {
      await using opened = await open()
      const { deadLetters } = opened
      await deadLetters.put(letter('a'))
      await rejectAll([
        options => deadLetters.put(letter('b'), options),
        options => deadLetters.list({}, options),
        options => deadLetters.get('a', options),
        options => deadLetters.remove('a', options),
        options => deadLetters.prune({ before: 9, keep: 0 }, options),
        options => deadLetters.count(options),
      ])
      expect(await deadLetters.list()).toEqual([letter('a')])
    })
  })
}

function letter(id: string, changes: Partial<DeadLetter> = {}): DeadLetter {
  const event = { ...saidEntry('hello'), runId: 'r', sessionId: 's', path: [] }
  return {
    id,
    subscriber: 'x',
    event,
    agent: 'a',
    scope: 'scope',
    reason: 'failed',
    detail: 'no',
    attempts: 1,
    failedAt: 1,
    ...changes,
  }
}
