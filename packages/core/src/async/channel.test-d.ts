import { expectTypeOf, it } from 'vitest'
import { createChannel, type Channel } from '../index.ts'

it('gives its reader what was pushed', () => {
  const channel = createChannel<'a' | 'b'>()
  expectTypeOf(channel).toEqualTypeOf<Channel<'a' | 'b'>>()
  expectTypeOf(channel.push).parameter(0).toEqualTypeOf<'a' | 'b'>()
  expectTypeOf(channel).toExtend<AsyncIterable<'a' | 'b'>>()
})

it('infers an item from what merges two', () => {
  expectTypeOf(createChannel({ merge: (last: string, next: string) => last + next })).toEqualTypeOf<Channel<string>>()
})
