import type { Message, RunFacts, Turn, TurnTrigger, UserMessage } from '@parley/core'
import { expectTypeOf, it } from 'vitest'
import { hooks, type RunEnd, type RunFailure, type Session, type TurnEnd } from './index.ts'

it('the hooks before and after a run and a turn receive read-only messages', () => {
  hooks({
    beforeRun: (run, turn) => {
      expectTypeOf(run).toEqualTypeOf<RunFacts>()
      expectTypeOf(turn).toEqualTypeOf<Turn>()
    },
    beforeTurn: (_, turn) => {
      expectTypeOf(turn.messages).toEqualTypeOf<readonly Message[]>()
      expectTypeOf(turn.trigger).toEqualTypeOf<TurnTrigger>()
      // @ts-expect-error -- a hook cannot add a message
      turn.messages.push()
      // @ts-expect-error -- a hook cannot replace the transcript
      turn.messages = []
    },
    afterTurn: (_, end) => {
      expectTypeOf(end).toEqualTypeOf<TurnEnd>()
      expectTypeOf(end.messages).toEqualTypeOf<readonly Message[]>()
    },
    afterRun: (_, end) => {
      expectTypeOf(end).toEqualTypeOf<RunEnd>()
      expectTypeOf(end.newMessages).toEqualTypeOf<readonly Message[]>()
    },
    beforeSession: (_, session) => {
      expectTypeOf(session).toEqualTypeOf<Session>()
    },
  })
})

it('afterCompaction receives four numbers, and onFailure a failure', () => {
  hooks({
    afterCompaction: (...sizes) => {
      expectTypeOf(sizes).toEqualTypeOf<[number, number, number, number]>()
    },
    onFailure: failure => {
      expectTypeOf(failure).toEqualTypeOf<RunFailure>()
    },
  })
  expectTypeOf(hooks).parameter(0).toHaveProperty('getMessages')
  hooks({ getMessages: (): readonly (string | UserMessage)[] => ['wait'] })
  // @ts-expect-error -- a number is not a message
  hooks({ getMessages: () => [1] })
})
