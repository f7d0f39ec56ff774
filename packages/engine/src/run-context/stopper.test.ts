import { expect, it } from 'vitest'
import { Stopper } from './stopper.ts'

it('a stop calls every listener once with its reason, also if listeners remove themselves while they are called', () => {
  const stopper = new Stopper()
  const heard: string[] = []
  for (const name of ['a', 'b', 'c']) {
    const listener = (reason: unknown): void => {
      stopper.offStop(listener)
      heard.push(`${name} ${String(reason)}`)
    }
    stopper.onStop(listener)
  }
  stopper.stop('enough')
  stopper.stop('again')
  expect(heard).toEqual(['a enough', 'b enough', 'c enough'])
  expect([stopper.stopped, stopper.signal.aborted, stopper.signal.reason]).toEqual([true, true, 'enough'])
})

it('a listener that is added after the stop is called at once', () => {
  const stopper = new Stopper()
  stopper.stop('enough')
  const heard: unknown[] = []
  stopper.onStop(reason => heard.push(reason))
  expect(heard).toEqual(['enough'])
})

it('the removal of a listener leaves the others, also if the listener was never added', () => {
  const stopper = new Stopper()
  const heard: string[] = []
  const [first, second] = ['first', 'second'].map(name => (): void => void heard.push(name))
  for (const listener of [first, second]) stopper.onStop(listener as () => void)
  stopper.offStop(() => {})
  stopper.offStop(first as () => void)
  stopper.stop('enough')
  expect(heard).toEqual(['second'])
})
