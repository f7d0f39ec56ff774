import { describeDeadLetterContract } from '@parley/testing/contract'
import { createMemoryDeadLetters } from './create-memory-dead-letters.ts'

describeDeadLetterContract('the memory', async () => ({
  deadLetters: createMemoryDeadLetters(),
  [Symbol.asyncDispose]: async () => {},
}))
