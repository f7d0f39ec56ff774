import { describe, expect, it } from 'vitest'
import { isOwnReply } from './is-own-reply.ts'

const own = (writer: string | undefined, model = 'm-5'): boolean =>
  isOwnReply(
    { role: 'assistant', content: [], ...(writer === undefined ? {} : { model: writer }) },
    { provider: 'acme', model },
  )

describe('isOwnReply', () => {
  it('knows the messages of the model and of its snapshots', () => {
    expect(own(undefined)).toBe(true)
    expect(own('acme/m-5')).toBe(true)
    expect(own('acme/m-5-2026-01-02')).toBe(true)
    expect(own('acme/m-5', 'm-5-20260102')).toBe(true)
    expect(own('acme/m-4')).toBe(false)
    expect(own('other/m-5')).toBe(false)
  })

  it('knows them where several models stood for one, unless two were of the provider', () => {
    expect(own('fallback/acme/m-5|other/m-9')).toBe(true)
    expect(own('spread/fallback/acme/m-5|other/m-9|acme/m-5')).toBe(true)
    expect(own('fallback/acme/m-5|acme/m-4')).toBe(false)
    expect(own('fallback/other/m-5')).toBe(false)
  })

  it('does not split the id of a plain model', () => {
    expect(own('acme/a|b', 'a|b')).toBe(true)
  })
})
