import { createMemoryDeadLetters } from '@parley/core'
import { describeDeadLetterContract } from '@parley/testing/contract'

describeDeadLetterContract('the in-memory dead letter store, the default of the event bus,', async () => ({
  deadLetters: createMemoryDeadLetters(),
  [Symbol.asyncDispose]: async () => {},
}))
