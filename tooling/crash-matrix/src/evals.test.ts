import { execFile } from 'node:child_process'
import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EvalResult } from '@parley/evals'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleWorker } from './__fixtures__/bundle-worker.ts'
import type { WorkerOrder } from './__fixtures__/eval-worker.ts'

interface Report {
  readonly appends: number
  readonly result: EvalResult
}

let folder = ''
let script = ''
let undisturbed: Report
let killPoints = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-evals-'))
  script = await bundleWorker('eval-worker')
  undisturbed = (await work('undisturbed')) ?? fail()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('an eval that is killed', () => {
  it('an eval that is killed is the same eval without a kill: two cases, each model call once', async () => {
    expect(undisturbed.result).toMatchObject({ passed: true, cases: [{ status: 'passed' }, { status: 'passed' }] })
    expect(counts(await ledgerOf('undisturbed'))).toEqual({
      'model first 1': 1,
      'model first 2': 1,
      'model second 1': 1,
      'model second 2': 1,
      'judge first': 1,
      'judge second': 1,
      'score first': 1,
      'score second': 1,
      [`result ${undisturbed.result.runId}`]: 1,
    })
  })

  it.each(['before', 'after'] as const)(
    'an eval that is killed %s an append resumes at the same case: no finished case again, no finished call paid again',
    async side => {
      // After its last append, an eval has ended: the next start is another one.
      const last = undisturbed.appends - (side === 'after' ? 1 : 0)
      for (let append = 1; append <= last; append += 1) {
        const name = `${side}-${append}`
        expect([name, await work(name, { append, side })]).toEqual([name, undefined])
        killPoints += 1
        const before = await ledgerOf(name)
        const { result } = (await work(name)) ?? fail()
        const ledger = await ledgerOf(name)
        const resumed = ledger.slice(before.length)
        expect([name, comparable(result)]).toEqual([name, comparable(undisturbed.result)])
        // At most the one call whose answer was not yet durable is made again.
        const isPaid = (line: string): boolean => line.startsWith('model') || line.startsWith('judge')
        const again = resumed.filter(line => isPaid(line) && before.includes(line))
        expect([name, again]).toEqual([name, again.length === 0 ? [] : [before.findLast(isPaid)]])
        // The second case begins when the first has ended.
        const first = resumed.filter(line => line.includes('first'))
        if (before.some(line => line.includes('second'))) expect([name, first]).toEqual([name, []])
        if (before.some(line => line.startsWith('result')))
          expect([name, resumed.filter(line => !line.startsWith('result'))]).toEqual([name, []])
      }
    },
    120_000,
  )

  it('an eval that is killed was killed before and after every append', () => {
    process.stdout.write(`evals: ${JSON.stringify({ appends: undisturbed.appends, killPoints })}\n`)
    expect(killPoints).toBe(undisturbed.appends * 2 - 1)
    expect(undisturbed.appends).toBeGreaterThan(20)
  })
})

/** Runs the worker. @returns Its report; `undefined` if it was killed. */
async function work(name: string, death?: WorkerOrder['death']): Promise<Report | undefined> {
  const order: WorkerOrder = { path: join(folder, `${name}.db`), ledger: join(folder, `${name}.txt`), death }
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [script, JSON.stringify(order)], (error, out) => {
      if (child.signalCode === 'SIGKILL') resolve(undefined)
      else if (error === null) resolve(JSON.parse(out) as Report)
      else reject(error)
    })
  })
}

async function ledgerOf(name: string): Promise<readonly string[]> {
  const text = await readFile(join(folder, `${name}.txt`), 'utf8').catch(() => '')
  return text.split('\n').filter(line => line !== '')
}

function counts(lines: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(lines.map(line => [line, lines.filter(each => each === line).length]))
}

/** The result without times and ids of runs. */
function comparable({ cases, passed, costUsd }: EvalResult): unknown {
  const plain = cases.map(({ trials, ...others }) => ({
    ...others,
    trials: trials.map(({ trial, output, error, costUsd: cost, scores }) => ({ trial, output, error, cost, scores })),
  }))
  return { cases: plain, passed, costUsd }
}

function fail(): never {
  throw new Error('the process was killed')
}
