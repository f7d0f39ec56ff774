import { expectTypeOf, it } from 'vitest'
import { ResponseBuilder, type AgentError, type AgentEvent, type AgentMessage } from './index.ts'

it('AgentEvent is discriminated by object, status and delta', () => {
  const event = {} as AgentEvent
  if (event.object === 'response' && event.status === 'completed') {
    expectTypeOf(event.output).toEqualTypeOf<AgentMessage[]>()
    expectTypeOf(event.completed_at).toEqualTypeOf<number>()
    expectTypeOf(event.error).toEqualTypeOf<null>()
  }
  if (event.object === 'response' && event.status === 'failed') expectTypeOf(event.error).toEqualTypeOf<AgentError>()
  if (event.object === 'message' && event.status === 'failed') expectTypeOf(event.error).toEqualTypeOf<AgentError>()
  if (event.object === 'content' && event.delta) {
    expectTypeOf(event.status).toEqualTypeOf<'in_progress'>()
    expectTypeOf(event.index).toEqualTypeOf<number>()
    if (event.type === 'text') expectTypeOf(event.text).toEqualTypeOf<string | null>()
  }
})

it('a content builder has only the methods of its type', () => {
  const message = new ResponseBuilder().createMessageBuilder()
  expectTypeOf(message.createContentBuilder()).toHaveProperty('addTextDelta')
  expectTypeOf(message.createContentBuilder('image')).toHaveProperty('setImageUrl')
  expectTypeOf(message.createContentBuilder('image')).not.toHaveProperty('addTextDelta')
  // @ts-expect-error -- an image has no text
  message.addContent('image', { text: 'a' })
  // @ts-expect-error -- errors have their own method
  new ResponseBuilder().createMessageBuilder({ messageType: 'error' })
})
