import { describe, expect, it } from 'vitest'
import type { HttpFetch } from './http-fetch.ts'
import { withBearer } from './with-bearer.ts'
import { getRequest } from '../__fixtures__/get-request.ts'

function recorder() {
  const sent: Headers[] = []
  const fetch: HttpFetch = async (_, { headers }) => {
    sent.push(headers)
    return new Response('')
  }
  return { sent, fetch }
}

describe('withBearer', () => {
  it('withBearer adds a token to the headers and does not change the request', async () => {
    const { sent, fetch } = recorder()
    await withBearer(fetch, 'token\n')('http://a', getRequest)
    expect(Object.fromEntries(sent[0] ?? [])).toEqual({ 'x-a': 'b', authorization: 'Bearer token' })
    expect(getRequest.headers.has('authorization')).toBe(false)
  })

  it('withBearer drops blanks before and after a token', async () => {
    const { sent, fetch } = recorder()
    await withBearer(fetch, '\r\n token \n')('http://a', getRequest)
    expect(sent[0]?.get('authorization')).toBe('Bearer token')
  })

  it('withBearer calls the token function for each request', async () => {
    const { sent, fetch } = recorder()
    let made = 0
    const bearer = withBearer(fetch, async () => `t${++made}`)
    await bearer('http://a', getRequest)
    await bearer('http://a', getRequest)
    expect(sent.map(headers => headers.get('authorization'))).toEqual(['Bearer t1', 'Bearer t2'])
  })

  it('withBearer keeps an existing authorization header', async () => {
    const { sent, fetch } = recorder()
    await withBearer(fetch, () => Promise.reject(new Error('not asked')))('http://a', {
      ...getRequest,
      headers: new Headers({ authorization: 'Basic x' }),
    })
    expect(sent[0]?.get('authorization')).toBe('Basic x')
  })
})
