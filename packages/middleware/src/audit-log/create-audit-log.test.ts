import { describe, expect, it } from 'vitest'
import { callEcho, setup, toldIn } from '../__fixtures__/set-up-agent.ts'
import { createAuditLog, verifyAuditLog, type AuditLogOptions, type AuditRecord } from './index.ts'

function audited(options: Partial<AuditLogOptions> = {}) {
  const records: AuditRecord[] = []
  const log = createAuditLog({ write: record => void records.push(record), ...options })
  return { records, log, ...setup(() => 'x', [log.middleware]) }
}

describe('audit log', () => {
  it('an audit log records who did what in a chain that verifyAuditLog accepts', async () => {
    const records: AuditRecord[] = []
    const log = createAuditLog({ write: record => void records.push(record) })
    const { runtime } = setup([callEcho('hello'), 'x'], [log.middleware])
    const { runId } = await runtime.run('a', 'hi', { principal: { id: 'ann', roles: ['user'] } }).result
    await log.flush()
    expect(records.map(({ number, action }) => `${number} ${action}`)).toEqual([
      '1 run.started',
      '2 message.appended',
      '3 model.called',
      '4 tool.started',
      '5 tool.ended',
      '6 model.called',
      '7 run.ended',
    ])
    expect(records[3]).toMatchObject({
      runId,
      agent: 'a',
      principal: { id: 'ann' },
      details: { name: 'echo', effect: 'once' },
    })
    expect(await verifyAuditLog(records)).toEqual({ ok: true, records: 7 })
  })

  it('an audit log stores digests of arguments, results and messages, and their content only if content is true', async () => {
    for (const content of [false, true]) {
      const { records, log, run } = audited({ content })
      await run('a secret').result
      await log.flush()
      expect(JSON.stringify(records).includes('a secret')).toBe(content)
      expect('textSha256' in (records[1]?.details ?? {})).toBe(!content)
    }
  })

  it.each([
    ['changes a record', (records: AuditRecord[]) => records.map((each, at) => (at === 1 ? { ...each, at: 0 } : each))],
    ['removes one', (records: AuditRecord[]) => records.filter((_, at) => at !== 1)],
    ['swaps two', (records: AuditRecord[]) => [records[1], records[0], ...records.slice(2)] as AuditRecord[]],
  ])('verifyAuditLog detects a forger who %s', async (_, forge) => {
    const { records, log, run } = audited()
    await run().result
    await log.flush()
    expect(await verifyAuditLog(forge(records))).toMatchObject({ ok: false })
  })

  it('an audit log continues an earlier log', async () => {
    const before = audited()
    await before.run().result
    await before.log.flush()
    const after = audited({ after: before.records.at(-1) })
    await after.run().result
    await after.log.flush()
    expect(await verifyAuditLog([...before.records, ...after.records])).toMatchObject({ ok: true })
  })

  it('concurrent runs share one chain of records', async () => {
    const { records, log, run } = audited({
      write: async record => void (await Promise.resolve(), records.push(record)),
    })
    await Promise.all([run().result, run().result, run().result])
    await log.flush()
    expect(await verifyAuditLog(records)).toEqual({ ok: true, records: 12 })
  })

  it('no tool runs after a record could not be written, unless required is false', async () => {
    for (const required of [true, false]) {
      const failing = createAuditLog({
        required,
        write: () => {
          throw new Error('disk full')
        },
      })
      const { run, model } = setup([callEcho('a'), 'x'], [failing.middleware])
      await run().result
      await expect(failing.flush()).rejects.toThrow('disk full')
      expect(toldIn(model.requests[1])).toEqual([
        required ? "'echo' was not run: the audit log cannot be written." : 'a',
      ])
    }
  })
})
