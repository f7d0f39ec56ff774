import type { CloseOptions } from '@parley/engine'
import { createRuntime } from '@parley/engine'
import { expect, it } from 'vitest'
import { withCloseOptions } from './with-close-options.ts'

it('withCloseOptions closes a runtime with its options unless the call overrides them', async () => {
  const received: (CloseOptions | undefined)[] = []
  const runtime = createRuntime({})
  const watched = {
    ...runtime,
    close: (options?: CloseOptions) => {
      received.push(options)
      return runtime.close(options)
    },
  }
  const closing = withCloseOptions(watched, { drainMs: 5, graceMs: 6 })
  await closing.close({ drainMs: 1 })
  await closing[Symbol.asyncDispose]()
  expect(received).toEqual([
    { drainMs: 1, graceMs: 6 },
    { drainMs: 5, graceMs: 6 },
  ])
})
