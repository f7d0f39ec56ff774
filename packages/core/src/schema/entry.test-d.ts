import { expectTypeOf, it } from 'vitest'
import type { ErrorInfo, Message } from '../index.ts'
import type { Entry, EntryOf, EntryType } from '../schema.ts'

it('EntryOf selects the entry with a type name', () => {
  expectTypeOf<EntryOf<'run.failed'>['error']>().toEqualTypeOf<ErrorInfo>()
  expectTypeOf<EntryOf<'message.appended'>['message']>().toEqualTypeOf<Message>()
  expectTypeOf<EntryOf<EntryType>>().toEqualTypeOf<Entry>()
  // @ts-expect-error -- no such entry
  expectTypeOf<EntryOf<'run.paused'>>().toBeNever()
})
