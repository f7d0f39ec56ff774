import type { Json, WorkflowStore } from '@parley/core'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rejectAll } from './describe-signals.ts'
import { SUITE_TIMEOUT_MS } from './suite-timeout.ts'

/** A workflow store under test. Disposing it closes the store behind it. */
export interface OpenWorkflows extends AsyncDisposable {
  readonly workflows: WorkflowStore
}

/**
 * Tests every promise of `WorkflowStore`.
 * @param open Opens an empty store. The suite disposes it.
 */
export function describeWorkflowContract(name: string, open: () => Promise<OpenWorkflows>): void {
  describe(`${name} keeps the WorkflowStore contract`, { timeout: SUITE_TIMEOUT_MS }, () => {
    it('the store keeps every version of a name and returns the newest by default', async () => {
      await using opened = await open()
      const { workflows } = opened
      const first = { name: 'w', version: 1, definition: { steps: [1] }, savedAt: 5 }
      const second = { name: 'w', version: 2, definition: { steps: [2] }, savedAt: 4 }
      expect(await workflows.put({ ...key, at: 5, definition: { steps: [1] } })).toEqual(first)
      expect(await workflows.put({ ...key, at: 4, definition: { steps: [2] } })).toEqual(second)
      expect(await workflows.get(key)).toEqual(second)
      expect(await workflows.get({ ...key, version: 1 })).toEqual(first)
      for (const version of [0, 3, -1]) expect(await workflows.get({ ...key, version })).toBeUndefined()
      expect(await workflows.versions(key)).toEqual([second, first])
      expect(await workflows.get({ ...key, name: 'other' })).toBeUndefined()
      expect(await workflows.versions({ ...key, name: 'other' })).toEqual([])
    })

    it('put returns the newest version if its definition is the same', async () => {
      await using opened = await open()
      const { workflows } = opened
      const definition = { a: 1, b: [true, null] }
      await workflows.put({ ...key, at: 1, definition })
      expect(await workflows.put({ ...key, at: 9, definition: { ...definition } })).toMatchObject({
        version: 1,
        savedAt: 1,
      })
      await workflows.put({ ...key, at: 2, definition: {} })
      expect(await workflows.put({ ...key, at: 3, definition })).toMatchObject({ version: 3, savedAt: 3 })
    })

    it('a saved definition does not change with the object that was passed to put', async () => {
      await using opened = await open()
      const { workflows } = opened
      const definition = { steps: [1] }
      await workflows.put({ ...key, at: 1, definition })
      definition.steps.push(2)
      expect(await workflows.get(key)).toMatchObject({ definition: { steps: [1] } })
    })

    it('concurrent puts have consecutive versions', async () => {
      await using opened = await open()
      const { workflows } = opened
      const saved = await Promise.all(
        Array.from({ length: 8 }, (_, index) => workflows.put({ ...key, at: index, definition: index })),
      )
      expect(saved.map(({ version }) => version).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
      for (const record of saved) expect(await workflows.get({ ...key, version: record.version })).toEqual(record)
    })

    it('the store lists the newest version of each name in the scope, by name', async () => {
      await using opened = await open()
      const { workflows } = opened
      for (const name of ['b', 'a', 'B']) await workflows.put({ scope: 'scope', name, at: 1, definition: name })
      await workflows.put({ scope: 'scope', name: 'a', at: 2, definition: 'newest' })
      await workflows.put({ scope: 'other', name: 'c', at: 1, definition: 1 })
      const listed = await workflows.list({ scope: 'scope' })
      expect(listed.map(({ name, version }) => `${name} ${version}`)).toEqual(['B 1', 'a 2', 'b 1'])
      expect(await workflows.list({ scope: 'nobody' })).toEqual([])
    })

    it('no call reads or removes definitions of another scope', async () => {
      await using opened = await open()
      const { workflows } = opened
      await workflows.put({ ...key, at: 1, definition: 1 })
      const theirs = { ...key, scope: 'other' }
      expect(await workflows.get(theirs)).toBeUndefined()
      expect(await workflows.versions(theirs)).toEqual([])
      expect(await workflows.remove(theirs)).toBe(false)
      expect(await workflows.put({ ...theirs, at: 1, definition: 2 })).toMatchObject({ version: 1 })
      expect(await workflows.get(key)).toMatchObject({ definition: 1 })
    })

    it('remove deletes all versions of a name, and the next version is 1 again', async () => {
      await using opened = await open()
      const { workflows } = opened
      for (const definition of [1, 2]) await workflows.put({ ...key, at: 1, definition })
      await workflows.put({ ...key, name: 'other', at: 1, definition: 1 })
      expect(await workflows.remove(key)).toBe(true)
      expect(await workflows.remove(key)).toBe(false)
      expect(await workflows.versions(key)).toEqual([])
      expect(await workflows.list({ scope: 'scope' })).toHaveLength(1)
      expect(await workflows.put({ ...key, at: 1, definition: 2 })).toMatchObject({ version: 1 })
    })

    it('every call rejects with the reason of a signal that is aborted before it, and changes nothing', async () => {
      await using opened = await open()
      const { workflows } = opened
      const record = await workflows.put({ ...key, at: 1, definition: 1 })
      await rejectAll([
        options => workflows.put({ ...key, at: 2, definition: 2 }, options),
        options => workflows.get(key, options),
        options => workflows.list({ scope: 'scope' }, options),
        options => workflows.versions(key, options),
        options => workflows.remove(key, options),
      ])
      expect(await workflows.versions(key)).toEqual([record])
    })

    it('the store returns any JSON unchanged', async () => {
      await using opened = await open()
      const { workflows } = opened
      await fc.assert(
        fc.asyncProperty(fc.json(), async text => {
          const definition = JSON.parse(text) as Json
          expect((await workflows.put({ ...key, at: 1, definition })).definition).toEqual(definition)
          expect((await workflows.get(key))?.definition).toEqual(definition)
        }),
      )
    })
  })
}

const key = { scope: 'scope', name: 'w' }
