// Deep: it kills a process around every entry of an eval.
import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EvalResult } from '@parley/evals'
import { openSqliteStore } from '@parley/sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleWorker } from './__fixtures__/bundle-worker.ts'
import type { EvalPlace, EvalReport, WorkerOrder } from './__fixtures__/eval-worker.ts'

let folder = ''
let script = ''
let undisturbed: EvalReport
let killPoints = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-evals-'))
  script = await bundleWorker('eval-worker')
  const empty = await openSqliteStore({ path: placeOf('empty').path })
  await empty[Symbol.asyncDispose]()
  undisturbed = await finish('undisturbed')
}, 600_000)
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
      const deaths = Array.from({ length: last }, (_, index) => ({ append: index + 1, side }))
      const killed = deaths.map(death => ({ name: `${side}-${death.append}`, death }))
      for (const { name, death } of killed) {
        // Creating the tables in each process would take as long as the rest of its start.
        await copyFile(placeOf('empty').path, placeOf(name).path)
        expect([name, await work([name], death)]).toEqual([name, undefined])
        killPoints += 1
      }
      const ledgers = await Promise.all(killed.map(({ name }) => ledgerOf(name)))
      // One process resumes the evals of all processes that were killed.
      const reports = (await work(killed.map(({ name }) => name))) ?? fail()
      expect(reports).toHaveLength(last)
      for (const [index, { result }] of reports.entries()) {
        const name = killed[index]?.name ?? ''
        const before = ledgers[index] ?? []
        const resumed = (await ledgerOf(name)).slice(before.length)
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
    600_000,
  )

  it('an eval that is killed was killed before and after every append', () => {
    process.stdout.write(`evals: ${JSON.stringify({ appends: undisturbed.appends, killPoints })}\n`)
    expect(killPoints).toBe(undisturbed.appends * 2 - 1)
    expect(undisturbed.appends).toBeGreaterThan(20)
  })
})

/** Runs a worker on evals. @returns Their reports; `undefined` if the worker was killed. */
async function work(
  names: readonly string[],
  death?: WorkerOrder['death'],
): Promise<readonly EvalReport[] | undefined> {
  const order: WorkerOrder = { evals: names.map(placeOf), death }
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [script, JSON.stringify(order)], (error, out) => {
      if (child.signalCode === 'SIGKILL') resolve(undefined)
      else if (error === null) resolve(JSON.parse(out) as readonly EvalReport[])
      else reject(error)
    })
  })
}

async function finish(name: string): Promise<EvalReport> {
  const [report] = (await work([name])) ?? []
  return report ?? fail()
}

function placeOf(name: string): EvalPlace {
  return { path: join(folder, `${name}.db`), ledger: join(folder, `${name}.txt`) }
}

async function ledgerOf(name: string): Promise<readonly string[]> {
  const text = await readFile(placeOf(name).ledger, 'utf8').catch(() => '')
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
