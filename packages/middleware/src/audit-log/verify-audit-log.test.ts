import { expect, it } from 'vitest'
import { digestOf, type AuditRecord } from './audit-record.ts'
import { verifyAuditLog } from './verify-audit-log.ts'

type Body = Omit<AuditRecord, 'digest'>

/** A record whose own digest is right. */
async function signed(body: Body): Promise<AuditRecord> {
  return { ...body, digest: await digestOf(body) }
}

/** Three records of one chain. */
async function log(): Promise<readonly [AuditRecord, AuditRecord, AuditRecord]> {
  const body = { action: 'tool.started', runId: 'r', sessionId: 's', scope: 'default', agent: 'a', details: {} }
  const first = await signed({ ...body, at: 1, number: 1, previous: '' })
  const second = await signed({ ...body, at: 2, number: 2, previous: first.digest })
  return [first, second, await signed({ ...body, at: 3, number: 3, previous: second.digest })]
}

it('verifyAuditLog accepts a chain, and a part of it', async () => {
  const [first, second, third] = await log()
  expect(await verifyAuditLog([first, second, third])).toEqual({ ok: true, records: 3 })
  expect(await verifyAuditLog([second, third])).toEqual({ ok: true, records: 2 })
})

it.each([0, 1, 2])('verifyAuditLog detects that record %d of three was changed', async index => {
  const forged = (await log()).map((record, at) => (at === index ? { ...record, runId: 'forged' } : record))
  expect(await verifyAuditLog(forged)).toMatchObject({ ok: false, number: index + 1 })
})

it('verifyAuditLog detects a changed record whose own digest was computed again', async () => {
  const [first, second, third] = await log()
  const { digest: _digest, ...body } = second
  const forged = await signed({ ...body, runId: 'forged' })
  expect(await verifyAuditLog([first, forged, third])).toMatchObject({ ok: false, number: 3 })
})

it('verifyAuditLog detects a removed record although the later records were numbered and signed again', async () => {
  const [first, , third] = await log()
  const { digest: _digest, ...body } = third
  const renumbered = await signed({ ...body, number: 2 })
  expect(await verifyAuditLog([first, renumbered])).toMatchObject({ ok: false, number: 2 })
})

it('verifyAuditLog detects a gap in the numbers of a chain that was signed again', async () => {
  const [first, , third] = await log()
  const { digest: _digest, ...body } = third
  const joined = await signed({ ...body, previous: first.digest })
  expect(await verifyAuditLog([first, joined])).toMatchObject({ ok: false, number: 3, detail: 'number 3 follows 1' })
})
