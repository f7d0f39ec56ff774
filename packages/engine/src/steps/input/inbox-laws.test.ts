import { defineTool, messageText, type JournalAppend, type Store } from '@parley/core'
import { fakeClock, scriptedModel } from '@parley/testing'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createMemoryStore } from '@parley/memory-store'
import { createRuntime, defineAgent } from '../../index.ts'

/** When a message arrives: before or after the n-th append, or while an input filter works. */
const word = fc.record({ append: fc.integer({ min: 2, max: 9 }), side: fc.constantFrom('before', 'after') })

it('a message in the inbox joins its run exactly once, with the append that takes it, whenever it arrives', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(word, { maxLength: 6 }),
      fc.boolean(),
      fc.nat({ max: 3 }),
      async (words, filters, yields) => {
        const kept = createMemoryStore()
        const told = new Set<string>()
        let appends = 0
        const say = async (runId: string, side: string): Promise<void> => {
          for (const [index, each] of words.entries()) {
            if (each.append !== appends || each.side !== side) continue
            const text = `word ${index}`
            const message = { role: 'user' as const, content: [{ type: 'text' as const, text }] }
            const command = { type: 'message' as const, kind: 'steering' as const, message }
            // An ended run rejects it.
            await kept.inbox?.put({ runId, id: text, at: 0, command }).then(
              () => told.add(text),
              () => {},
            )
          }
        }
        const store: Store = {
          ...kept,
          append: async (append: JournalAppend) => {
            appends += 1
            if (appends > 1) await say(append.runId, 'before')
            const unread = (await kept.inbox?.read(append.runId)) ?? []
            await kept.append(append)
            const left = (await kept.inbox?.read(append.runId))?.length ?? 0
            const queued = append.entries.filter(({ type }) => type === 'input.queued')
            expect(unread.length - left).toBe(queued.length)
            await say(append.runId, 'after')
          },
        }
        const look = defineTool({
          name: 'look',
          description: 'Looks.',
          input: { type: 'object' },
          execute: () => 'seen',
        })
        const model = scriptedModel(({ messages }) =>
          messages.filter(({ role }) => role === 'assistant').length < 3 ? { toolCalls: [{ name: 'look' }] } : 'Done.',
        )
        const slow = async (): Promise<'pass'> => {
          for (let turn = 0; turn < yields; turn++) await Promise.resolve()
          return 'pass'
        }
        const inputFilters = filters ? [{ name: 'slow', check: slow }] : []
        const agents = [defineAgent({ name: 'a', model, tools: [look], inputFilters })]
        const { status, messages, runId } = await createRuntime({ store, agents, clock: fakeClock() }).invoke('a', 'go')
        expect(status).toBe('completed')
        const said = messages.filter(({ role }) => role === 'user').map(messageText)
        expect(said.slice(1).toSorted()).toEqual([...told].toSorted())
        const seqs = (await kept.read(runId)).map(({ seq }) => seq)
        expect(seqs).toEqual(seqs.map((_, index) => index + 1))
      },
    ),
  )
})
