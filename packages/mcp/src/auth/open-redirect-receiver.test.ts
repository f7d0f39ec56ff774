import { expect, it } from 'vitest'
import { openRedirectReceiver } from './open-redirect-receiver.ts'

it('the redirect receiver resolves with the redirect that carries the state and answers 404 to other requests', async () => {
  await using receiver = await openRedirectReceiver({ url: 'http://127.0.0.1/callback' })
  const { port } = new URL(receiver.url)
  expect(Number(port)).toBeGreaterThan(0)
  expect((await fetch(`${receiver.url}?state=s&code=early`)).status).toBe(404)
  const arrived = receiver.wait('s')
  expect((await fetch(`${receiver.url}?state=other&code=1`)).status).toBe(404)
  expect((await fetch(`http://127.0.0.1:${port}/elsewhere?state=s&code=2`)).status).toBe(404)
  const page = await fetch(`${receiver.url}?state=s&code=3&iss=https%3A%2F%2Fa`)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('You can close this page')])
  expect(Object.fromEntries(await arrived)).toEqual({ state: 's', code: '3', iss: 'https://a' })
})

it('the redirect receiver stops waiting when the signal aborts', async () => {
  await using receiver = await openRedirectReceiver({ url: 'http://localhost/callback' })
  const reason = new Error('enough')
  await expect(receiver.wait('s', AbortSignal.abort(reason))).rejects.toBe(reason)
})
