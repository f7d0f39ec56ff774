import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createRuntime, defineAgent, type DecideOptions } from '../../index.ts'

const agent = defineAgent({ name: 'a', model: scriptedModel(() => 'Done.') })

const mistakes: readonly (readonly [value: unknown, problem: string])[] = [
  [{ foo: 1 }, 'input: is an object without content; must be a text or a user message'],
  [5, 'input: is 5; must be a text or a user message'],
  [['hi'], 'input: is a list; must be a text or a user message'],
  [undefined, 'input: is missing; must be a text or a user message'],
  [null, 'input: is null; must be a text or a user message'],
  [
    { role: 'user', content: 'hi' },
    "input.content: is a string; must be a list, such as [{ type: 'text', text: 'Hi' }]",
  ],
  [{ role: 'assistant', content: [] }, "input.role: is a string; must be 'user'"],
]

describe('the input of a run', () => {
  it.each(mistakes)('an input of %j is refused at the call with config-invalid', async (value, problem) => {
    await using runtime = createRuntime({ agents: [agent] })
    const info = expect.objectContaining({ code: 'config-invalid', message: problem })
    expect(() => runtime.run('a', value as string)).toThrow(info)
    await expect(runtime.invoke('a', value as string)).rejects.toThrow(info)
  })

  it.each(['', { role: 'user' as const, content: [] }])('an input of %j is accepted', async input => {
    await using runtime = createRuntime({ agents: [agent] })
    expect(await runtime.run('a', input).result).toMatchObject({ status: 'completed' })
  })

  it('steer, followUp, fork and rerun refuse a message without content', async () => {
    await using runtime = createRuntime({ agents: [agent], store: createMemoryStore() })
    const { runId } = await runtime.invoke('a', 'go')
    const wrong = { foo: 1 } as unknown as string
    const about = (path: string) => `${path}: is an object without content; must be a text or a user message`
    await expect(runtime.steer(runId, wrong)).rejects.toThrow(about('message'))
    await expect(runtime.followUp(runId, wrong)).rejects.toThrow(about('message'))
    await expect(runtime.run('a', 'go').steer(wrong)).rejects.toThrow(about('message'))
    await expect(runtime.fork(runId, { input: wrong })).rejects.toThrow(about('fork.input'))
    await expect(runtime.rerun(runId, { input: wrong })).rejects.toThrow(about('rerun.input'))
  })

  it('decide shows how to wrap a decision that is given alone', async () => {
    await using runtime = createRuntime({ agents: [agent] })
    const alone = { type: 'approved' } as unknown as DecideOptions
    await expect(runtime.decide('approval', alone)).rejects.toThrow(
      "decide: is a decision alone; wrap it: { decision: { type: 'approved' } }",
    )
  })
})
