import { scriptedModel } from '@parley/testing'
import { expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import { createRuntime, defineAgent, type IncompleteRun, type RunFailedError, type RunResult } from '../index.ts'

const agent = defineAgent({ name: 'a', model: scriptedModel([]), output: z.object({ n: z.number() }) })

it('a result has a text and an output only after a check of its status', async () => {
  const result = await createRuntime().run(agent, 'go').result
  // @ts-expect-error -- a run that did not complete has no text
  void result.text
  // @ts-expect-error -- a run that did not complete has no output
  void result.output
  if (result.status === 'completed') {
    expectTypeOf(result.text).toEqualTypeOf<string>()
    expectTypeOf(result.output).toEqualTypeOf<{ n: number }>()
  } else {
    expectTypeOf(result.partialText).toEqualTypeOf<string>()
    // @ts-expect-error -- the text of a run that did not complete is not an answer
    void result.text
  }
})

it('invoke and orThrow resolve to the text and the output without a check', async () => {
  const runtime = createRuntime()
  const { text, output, status } = await runtime.invoke(agent, 'go')
  expectTypeOf(text).toEqualTypeOf<string>()
  expectTypeOf(output).toEqualTypeOf<{ n: number }>()
  expectTypeOf(status).toEqualTypeOf<'completed'>()
  expectTypeOf(await runtime.run(agent, 'go').orThrow()).toEqualTypeOf(await runtime.invoke(agent, 'go'))
})

it('each status of a result narrows to its own fields', () => {
  const read = (result: RunResult): unknown => {
    switch (result.status) {
      case 'completed':
        return result.finish
      case 'limit':
        return result.hit
      case 'cancelled':
        return result.reason
      case 'rejected':
        return result.filter
      case 'failed':
      case 'interrupted':
        return result.error
      case 'suspended':
        return [result.approvals, result.clientCalls]
    }
  }
  expectTypeOf(read).returns.toBeUnknown()
  expectTypeOf<RunFailedError['result']>().toEqualTypeOf<IncompleteRun>()
  expectTypeOf<RunFailedError['code']>().toEqualTypeOf<'run-failed'>()
})
