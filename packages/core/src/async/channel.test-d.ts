import { expectTypeOf, it } from 'vitest'
import { createChannel, type Channel } from '../index.ts'

it('a channel gives its reader the pushed item type', () => {
  const channel = createChannel<'a' | 'b'>()
  expectTypeOf(channel).toEqualTypeOf<Channel<'a' | 'b'>>()
  expectTypeOf(channel.push).parameter(0).toEqualTypeOf<'a' | 'b'>()
  expectTypeOf(channel).toExtend<AsyncIterable<'a' | 'b'>>()
})

it('createChannel infers the item type from merge', () => {
  expectTypeOf(createChannel({ merge: (last: string, next: string) => last + next })).toEqualTypeOf<Channel<string>>()
})
