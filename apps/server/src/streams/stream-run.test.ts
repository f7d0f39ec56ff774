import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createChannel, type RunEvent } from '@parley/core'
import { expect, it } from 'vitest'
import { streamRun } from './stream-run.ts'

/** Creates a run that has no events. */
function createRun() {
  const channel = createChannel<RunEvent>()
  return { channel, run: { [Symbol.asyncIterator]: () => channel[Symbol.asyncIterator]() } }
}

/** Opens the stream of such a run. */
function openStream() {
  const { channel, run } = createRun()
  const encoder = { ended: false, push: () => [], end: () => [] }
  const frames = streamRun<object>({ run, encoder, encode: () => 'cut', cutEvent: () => ({}) })
  return { frames, run: new WeakRef(run), channel: new WeakRef(channel) }
}

it('a released stream refers to nothing of its run, although its connection is still open', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const { frames, ...refs } = openStream()
  frames.release()
  // References that were read in this turn of the event loop are kept until its end.
  await new Promise(resolve => setImmediate(resolve))
  collect()
  expect([refs.run.deref(), refs.channel.deref()]).toEqual([undefined, undefined])
  expect(await frames.next()).toMatchObject({ done: false })
})
