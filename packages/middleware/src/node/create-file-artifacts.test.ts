import { defineTool } from '@parley/core'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { setup, toldIn } from '../__fixtures__/set-up-agent.ts'
import { createOffload } from '../offload/index.ts'
import { openDirectory } from './__fixtures__/open-directory.ts'
import { createFileArtifacts } from './create-file-artifacts.ts'

const owner = { scope: 's', sessionId: '1' }
const artifact = { text: 'Long. 👩‍💻', tool: 'dump', callId: 'c1' }

describe('file artifacts', () => {
  it('file artifacts can be read by another process in the same session, but not in another session', async () => {
    await using directory = await openDirectory()
    const id = await createFileArtifacts({ directory: directory.path }).put(owner, artifact)
    const elsewhere = createFileArtifacts({ directory: directory.path })
    expect(await elsewhere.get(owner, id)).toEqual(artifact)
    expect(await elsewhere.get({ ...owner, sessionId: '2' }, id)).toBeUndefined()
    expect(await elsewhere.get({ ...owner, scope: 't' }, id)).toBeUndefined()
  })

  it('file artifacts store the same result of the same call once', async () => {
    await using directory = await openDirectory()
    const store = createFileArtifacts({ directory: directory.path })
    expect(await store.put(owner, artifact)).toBe(await store.put(owner, artifact))
    expect(await store.put(owner, artifact)).not.toBe(await store.put(owner, { ...artifact, callId: 'c2' }))
  })

  it('file artifacts return undefined for an unknown or invalid id', async () => {
    await using directory = await openDirectory()
    const store = createFileArtifacts({ directory: directory.path })
    await store.put(owner, artifact)
    for (const id of ['artifact_1', '../x', '', `artifact_${'0'.repeat(24)}`]) {
      expect(await store.get(owner, id)).toBeUndefined()
    }
  })

  it('an agent reads an offloaded result from file artifacts', async () => {
    await using directory = await openDirectory()
    const { middleware, tool } = createOffload({
      store: createFileArtifacts({ directory: directory.path }),
      maxCharacters: 100,
      previewCharacters: 10,
    })
    const dump = defineTool({
      name: 'dump',
      description: 'Returns a long text.',
      input: z.object({}),
      execute: () => `${'x'.repeat(200)}needle${'x'.repeat(200)}`,
    })
    const { run, model } = setup(
      (request, index) => {
        if (index === 0) return { toolCalls: [{ name: 'dump' }] }
        const id = /artifact_\w+/.exec(toldIn(request)[0] ?? '')?.[0]
        return index === 1 ? { toolCalls: [{ name: 'read_artifact', input: { id, search: 'needle' } }] } : 'x'
      },
      [middleware],
      { tools: [dump, tool] },
    )
    await run().result
    expect(toldIn(model.requests[2])[1]).toMatch(/^needle/)
  })

  it('createFileArtifacts rejects a directory that it cannot write to', () => {
    expect(() => createFileArtifacts({ directory: '/dev/null/x' })).toThrow(/fileArtifacts.directory/)
  })
})
