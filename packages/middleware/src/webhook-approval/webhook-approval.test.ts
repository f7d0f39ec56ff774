import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defineTool, type RunFacts } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it, vi } from 'vitest'
import { webhookApproval, type WebhookApprovalOptions } from './index.ts'

const key = Buffer.alloc(32, 7)
const secret = `whsec_${key.toString('base64')}`
const run: RunFacts = { runId: 'r', sessionId: 's', agent: 'a', scope: 'default', path: [] }
const request = { approvalId: 'p', callId: 'c', name: 'pay', input: { cents: 5 }, prompt: 'Pay?' }

interface Asked {
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** An HTTP service on a real socket, and the requests it received. */
async function service(answer: (response: ServerResponse) => void) {
  const asked: Asked[] = []
  const server = createServer((incoming, response) => {
    let body = ''
    incoming.on('data', (chunk: Buffer) => (body += chunk.toString()))
    incoming.on('end', () => {
      asked.push({ headers: incoming.headers, body })
      answer(response)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/approve`
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
  return { url, asked, [Symbol.asyncDispose]: close }
}

const say =
  (value: unknown, status = 200) =>
  (response: ServerResponse) => {
    response.writeHead(status, { location: 'https://elsewhere.example' }).end(JSON.stringify(value))
  }

describe('webhookApproval', () => {
  it('webhookApproval sends its request through the fetch option', async () => {
    const fetch = vi.fn(async () => Response.json({ type: 'approved' }))
    const ask = webhookApproval({ url: 'https://approvals.example', secret, fetch })
    expect(await ask(request, { run, signal: new AbortController().signal })).toEqual({ type: 'approved' })
    expect(fetch).toHaveBeenCalledOnce()
  })

  it('webhookApproval signs its request as in Standard Webhooks', async () => {
    await using there = await service(say({ type: 'approved' }))
    const ask = webhookApproval({
      url: there.url,
      secret,
      headers: { 'x-team': 'payments' },
      now: () => 1_700_000_000_999,
    })
    expect(await ask(request, { run, signal: new AbortController().signal })).toEqual({ type: 'approved' })
    const { headers, body } = there.asked[0] ?? { headers: {}, body: '' }
    const expected = createHmac('sha256', key).update(`p.1700000000.${body}`).digest('base64')
    expect(headers).toMatchObject({
      'webhook-id': 'p',
      'webhook-timestamp': '1700000000',
      'webhook-signature': `v1,${expected}`,
      'x-team': 'payments',
    })
    expect(JSON.parse(body)).toEqual({
      type: 'approval.requested',
      timestamp: '2023-11-14T22:13:20.000Z',
      data: { request, run },
    })
  })

  it.each([
    [
      { type: 'modified', input: { cents: 1 } },
      { type: 'modified', input: { cents: 1 } },
    ],
    [
      { type: 'escalated', roles: ['boss'], prompt: 'Really?' },
      { type: 'escalated', roles: ['boss'], prompt: 'Really?' },
    ],
    [
      { type: 'escalated', agent: 'expert', task: 'Look.', more: 1 },
      { type: 'escalated', agent: 'expert', task: 'Look.' },
    ],
    [
      { type: 'escalated', agent: 'expert', roles: ['boss'] },
      { type: 'rejected', reason: expect.stringContaining('an invalid decision') },
    ],
    [
      { type: 'escalated', agent: '' },
      { type: 'rejected', reason: expect.stringContaining('an invalid decision') },
    ],
    [{ type: 'timed-out' }, { type: 'timed-out' }],
    [{ type: 'rejected' }, { type: 'rejected', reason: 'no reason was given.' }],
    [{ type: 'modified' }, { type: 'rejected', reason: expect.stringContaining('an invalid decision') }],
    [
      { type: 'escalated', roles: [4] },
      { type: 'rejected', reason: expect.stringContaining('an invalid decision') },
    ],
    [{ approved: true }, { type: 'rejected', reason: expect.stringContaining('an invalid decision') }],
    [null, { type: 'rejected', reason: expect.stringContaining('an invalid decision') }],
  ])('webhookApproval turns the answer %j into the decision %j', async (answer, decision) => {
    await using there = await service(say(answer))
    const ask = webhookApproval({ url: there.url, secret })
    expect(await ask(request, { run, signal: new AbortController().signal })).toEqual(decision)
  })

  it.each([500, 302, 404])('webhookApproval rejects the call after HTTP %d and follows no redirect', async status => {
    await using there = await service(say({ type: 'approved' }, status))
    const ask = webhookApproval({ url: there.url, secret, retry: { maxRetries: 0 } })
    const decision = await ask(request, { run, signal: new AbortController().signal })
    expect(decision).toEqual({ type: 'rejected', reason: `the approval service answered with HTTP ${status}.` })
  })

  it('webhookApproval times out if the service never answers, and rejects the call if it is unreachable', async () => {
    const hanging = await service(() => {})
    const signal = new AbortController().signal
    expect(await webhookApproval({ url: hanging.url, secret, timeoutMs: 30 })(request, { run, signal })).toEqual({
      type: 'timed-out',
    })
    await hanging[Symbol.asyncDispose]()
    const gone = webhookApproval({ url: hanging.url, secret, retry: { initialDelayMs: 1 } })
    expect(await gone(request, { run, signal })).toMatchObject({
      type: 'rejected',
      reason: expect.stringContaining('could not be asked'),
    })
  })

  it('webhookApproval repeats the same message after a temporary failure and not after a permanent one', async () => {
    for (const [statuses, decision, times] of [
      [[503, 429, 200], { type: 'approved' }, 3],
      [[500, 500, 500, 200], { type: 'rejected' }, 3],
      [[404, 200], { type: 'rejected' }, 1],
      [[302, 200], { type: 'rejected' }, 1],
    ] as const) {
      const left: number[] = [...statuses]
      await using there = await service(response => say({ type: 'approved' }, left.shift())(response))
      const ask = webhookApproval({ url: there.url, secret, retry: { initialDelayMs: 1 } })
      expect(await ask(request, { run, signal: new AbortController().signal })).toMatchObject(decision)
      expect(there.asked.map(({ headers }) => headers['webhook-id'])).toEqual(Array.from({ length: times }, () => 'p'))
    }
  })

  it('webhookApproval does not repeat a question if the service asks for a longer wait than maxWaitMs', async () => {
    await using there = await service(response => {
      response.setHeader('retry-after', '90')
      say({}, 503)(response)
    })
    const ask = webhookApproval({ url: there.url, secret, retry: { initialDelayMs: 1 } })
    expect(await ask(request, { run, signal: new AbortController().signal })).toMatchObject({ type: 'rejected' })
    expect(there.asked).toHaveLength(1)
  })

  it('webhookApproval stops retrying after timeoutMs and when its signal is aborted', async () => {
    await using there = await service(say({}, 503))
    const slow = { url: there.url, secret, retry: { maxRetries: 9, initialDelayMs: 60_000, maxDelayMs: 60_000 } }
    const ask = webhookApproval({ ...slow, timeoutMs: 30 })
    expect(await ask(request, { run, signal: new AbortController().signal })).toEqual({ type: 'timed-out' })
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 30)
    expect(await webhookApproval(slow)(request, { run, signal: controller.signal })).toMatchObject({ type: 'rejected' })
  })

  it('a run continues with the decision of the service', async () => {
    await using there = await service(say({ type: 'modified', input: { cents: 1 } }))
    const paid: unknown[] = []
    const pay = defineTool({
      name: 'pay',
      description: 'Pays.',
      input: { type: 'object' },
      permission: 'ask',
      execute: input => {
        paid.push(input)
        return 'paid'
      },
    })
    const model = scriptedModel([{ toolCalls: [{ name: 'pay', input: { cents: 5 } }] }, 'Done.'])
    const agent = defineAgent({
      name: 'a',
      model,
      tools: [pay],
      onApproval: webhookApproval({ url: there.url, secret }),
    })
    expect(await createRuntime().run(agent, 'go').result).toMatchObject({ status: 'completed', text: 'Done.' })
    expect(paid).toEqual([{ cents: 1 }])
  })

  it.each<[Partial<WebhookApprovalOptions>, string]>([
    [{ url: 'http://example.com' }, 'webhookApproval.url: must be https:, or http: on this machine'],
    [{ url: 'ftp://localhost' }, 'must be https:'],
    [{ url: 'nowhere' }, "is 'nowhere'; must be a URL"],
    [{ url: 'https://me:pw@example.com' }, 'put credentials into headers'],
    [{ secret: 'whsec_%%%' }, 'webhookApproval.secret: must be base64'],
    [{ secret: btoa('short') }, 'has 5 bytes; must have at least 24'],
    [{ timeoutMs: 0 }, 'webhookApproval.timeoutMs: is 0'],
    [{ retry: { maxRetries: 1.5 } }, 'webhookApproval.retry.maxRetries: is 1.5'],
    [{ retry: { initialDelayMs: -1 } }, 'webhookApproval.retry.initialDelayMs: is -1'],
  ])('webhookApproval rejects the options %j with the error %s', (options, message) => {
    expect(() => webhookApproval({ url: 'https://example.com', secret, ...options })).toThrow(message)
  })
})
