import { expect, it } from 'vitest'
import { onAbort } from './on-abort.ts'

it('onAbort calls its listener once with the reason of the abort', () => {
  const controller = new AbortController()
  const heard: unknown[] = []
  onAbort(controller.signal, reason => heard.push(reason))
  expect(heard).toEqual([])
  controller.abort('enough')
  expect(heard).toEqual(['enough'])
})

it('onAbort calls its listener at once if the signal is already aborted', () => {
  const heard: unknown[] = []
  onAbort(AbortSignal.abort('early'), reason => heard.push(reason))
  expect(heard).toEqual(['early'])
})

it('onAbort returns a function that removes the listener', () => {
  const controller = new AbortController()
  const heard: unknown[] = []
  const remove = onAbort(controller.signal, reason => heard.push(reason))
  onAbort(undefined, reason => heard.push(reason))()
  remove()
  controller.abort('late')
  expect(heard).toEqual([])
})
