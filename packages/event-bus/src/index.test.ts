import { expect, it } from 'vitest'
import * as eventBus from './index.ts'

it('@parley/event-bus exports createEventBus and nothing else at run time', () => {
  expect(Object.keys(eventBus)).toEqual(['createEventBus'])
})
