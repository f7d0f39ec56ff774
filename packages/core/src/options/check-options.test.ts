import { expect, it } from 'vitest'
import * as z from 'zod'
import { checkOptions } from './check-options.ts'
import type { OptionKind, OptionKinds } from './option-kind.ts'

interface QueueOptions {
  readonly name: string
  readonly timeoutMs?: number | undefined
  readonly onFull?: 'wait' | 'refuse' | undefined
  readonly key?: string | (() => string) | undefined
  readonly limits?: { readonly maxTurns?: number | undefined } | undefined
}

const OPTIONS: OptionKinds<QueueOptions> = {
  name: 'string!',
  timeoutMs: 'number',
  onFull: ['wait', 'refuse'],
  key: 'string or function',
  limits: { maxTurns: 'number' },
}

it.each<[unknown, string]>([
  [5, 'createQueue: is 5; must be an object'],
  [null, 'createQueue: is null; must be an object'],
  [[], 'createQueue: is an empty list; must be an object'],
  [{ name: 'q', timeout: 1 }, "createQueue.timeout: is an unknown option; did you mean 'timeoutMs'?"],
  [{ name: 'q', TIMEOUT_MS: 1 }, "createQueue.TIMEOUT_MS: is an unknown option; did you mean 'timeoutMs'?"],
  [{ name: 'q', onFul: 'wait' }, "createQueue.onFul: is an unknown option; did you mean 'onFull'?"],
  [{ name: 'q', maxTurns: 1 }, "createQueue.maxTurns: is an unknown option; did you mean 'limits.maxTurns'?"],
  [{ name: 'q', maxSteps: 1 }, "createQueue.maxSteps: is an unknown option; did you mean 'limits.maxTurns'?"],
  [
    { name: 'q', color: 1 },
    "createQueue.color: is an unknown option; known: 'name', 'timeoutMs', 'onFull', 'key', 'limits'",
  ],
  [{ name: 'q', constructor: 1 }, 'createQueue.constructor: is an unknown option; known:'],
  [{ name: 'q', limits: 5 }, 'createQueue.limits: is 5; must be an object'],
  [{ name: 'q', limits: { maxTurns: '5' } }, "createQueue.limits.maxTurns: is the string '5'; must be a number"],
  [{ name: 'q', limits: { turns: 5 } }, 'createQueue.limits.turns: is an unknown option'],
  [{ name: 'q', onFull: 'explode' }, "createQueue.onFull: is 'explode'; must be wait or refuse"],
  [{ name: 'q', onFull: 5 }, 'createQueue.onFull: is 5; must be wait or refuse'],
  [{ name: 'q', key: 5 }, 'createQueue.key: is 5; must be a string or a function'],
  [{ name: Promise.resolve('q') }, 'createQueue.name: is a promise; await it first; must be a string'],
  [{}, 'createQueue.name: is missing; must be a string'],
])('checkOptions rejects %j with the error %s', (options, words) => {
  expect(() => checkOptions('createQueue', options, OPTIONS)).toThrow(words)
})

it('checkOptions accepts known options, absent options and options that are undefined', () => {
  const options = { name: 'q', timeoutMs: undefined, onFull: 'wait', key: () => 'k', limits: {} }
  expect(() => checkOptions('createQueue', options, OPTIONS)).not.toThrow()
})

it('checkOptions never shows a string that may be a secret', () => {
  const given = { name: 'q', timeoutMs: 'sk-12345678' }
  expect(() => checkOptions('createQueue', given, OPTIONS)).toThrow(
    'createQueue.timeoutMs: is a string; must be a number',
  )
})

it.each<[OptionKind, unknown, boolean]>([
  ['schema', z.object({}), true],
  ['schema', { type: 'object' }, true],
  ['schema', {}, true],
  ['schema', { city: z.string() }, false],
  ['schema', { type: z.string() }, false],
  ['schema', { city: 'string' }, false],
  ['schema', ['city'], false],
  ['schema', z.object, false],
  ['signal', new AbortController().signal, true],
  ['signal', new AbortController(), false],
  ['strings', ['a'], true],
  ['strings', ['a', 5], false],
  ['string or null', null, true],
])('the kind %j judges %o as %s', (kind, value, isValid) => {
  const check = (): void => checkOptions('create', { value }, { value: kind })
  if (isValid) expect(check).not.toThrow()
  else expect(check).toThrow('create.value: is ')
})
