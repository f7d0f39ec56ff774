import type { ArtifactStore } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { rejectAll } from './describe-signals.ts'

/** An artifact store under test. Disposing it closes the store behind it. */
export interface OpenArtifacts extends AsyncDisposable {
  readonly artifacts: ArtifactStore
}

/**
 * Tests every promise of `ArtifactStore`.
 * @param open Opens an empty store. The suite disposes it.
 */
export function describeArtifactContract(name: string, open: () => Promise<OpenArtifacts>): void {
  describe(`${name} keeps the ArtifactStore contract`, () => {
    it('the store returns an artifact as it was put, with any text', async () => {
      await using opened = await open()
      const { artifacts } = opened
      const odd = { text: `\u0000 "no"\n${'é'.repeat(1_000_000)}`, tool: 'dump', callId: 'c1' }
      const id = await artifacts.put(owner, odd)
      expect(await artifacts.get(owner, id)).toEqual(odd)
    })

    it('the store keeps several artifacts of one call under different ids', async () => {
      await using opened = await open()
      const { artifacts } = opened
      const texts = ['one', 'two', 'one']
      const ids = await Promise.all(texts.map(async text => artifacts.put(owner, { text, tool: 't', callId: 'c' })))
      expect(new Set(ids).size).toBe(3)
      for (const [index, id] of ids.entries()) {
        expect(await artifacts.get(owner, id)).toMatchObject({ text: texts[index] })
      }
    })

    it('the store returns no artifact to another session or scope, or for an unknown id', async () => {
      await using opened = await open()
      const { artifacts } = opened
      const id = await artifacts.put(owner, { text: 'x', tool: 't', callId: 'c' })
      expect(await artifacts.get({ ...owner, sessionId: 'other' }, id)).toBeUndefined()
      expect(await artifacts.get({ ...owner, scope: 'other' }, id)).toBeUndefined()
      expect(await artifacts.get(owner, 'nothing')).toBeUndefined()
    })

    it('every call rejects with the reason of a signal that is aborted before it', async () => {
      await using opened = await open()
      const { artifacts } = opened
      const id = await artifacts.put(owner, { text: 'x', tool: 't', callId: 'c' })
      await rejectAll([
        options => artifacts.put(owner, { text: 'y', tool: 't', callId: 'c' }, options),
        options => artifacts.get(owner, id, options),
      ])
    })
  })
}

const owner = { scope: 'scope', sessionId: 'session' }
