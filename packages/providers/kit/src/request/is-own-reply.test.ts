import { describe, expect, it } from 'vitest'
import { isOwnReply, ownDataOf } from './is-own-reply.ts'

const own = (writer: string | undefined, model = 'm-5'): boolean =>
  isOwnReply(
    { role: 'assistant', content: [], ...(writer === undefined ? {} : { model: writer }) },
    { provider: 'acme', model },
  )

describe('isOwnReply', () => {
  it('isOwnReply accepts messages of the model and of its snapshots, and rejects messages of other models', () => {
    expect(own(undefined)).toBe(true)
    expect(own('acme/m-5')).toBe(true)
    expect(own('acme/m-5-2026-01-02')).toBe(true)
    expect(own('acme/m-5', 'm-5-20260102')).toBe(true)
    expect(own('acme/m-4')).toBe(false)
    expect(own('other/m-5')).toBe(false)
  })

  it('isOwnReply accepts a message of a joint model unless two of its models belong to the provider', () => {
    expect(own('fallback/acme/m-5|other/m-9')).toBe(true)
    expect(own('spread/fallback/acme/m-5|other/m-9|acme/m-5')).toBe(true)
    expect(own('fallback/acme/m-5|acme/m-4')).toBe(false)
    expect(own('fallback/other/m-5')).toBe(false)
  })

  it('isOwnReply does not split the id of a single model at |', () => {
    expect(own('acme/a|b', 'a|b')).toBe(true)
  })
})

it('ownDataOf returns the data of the same provider and {} for data of another provider', () => {
  expect(ownDataOf({ providerData: { provider: 'acme', data: { id: '1' } } }, 'acme')).toEqual({ id: '1' })
  expect(ownDataOf({ providerData: { provider: 'other', data: { id: '1' } } }, 'acme')).toEqual({})
  for (const data of [null, 'x', [1]])
    expect(ownDataOf({ providerData: { provider: 'acme', data } }, 'acme')).toEqual({})
  expect(ownDataOf({}, 'acme')).toEqual({})
})
