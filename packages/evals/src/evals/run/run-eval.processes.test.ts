import { execFile } from 'node:child_process'
import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WorkerOrder } from './__fixtures__/eval-worker.ts'
import type { EvalResult } from './eval-result.ts'

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
  script = fileURLToPath(new URL('../../../node_modules/.cache/eval-worker.mjs', import.meta.url))
  await build({
    entryPoints: [fileURLToPath(new URL('__fixtures__/eval-worker.ts', import.meta.url))],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@parley/source'],
    external: ['better-sqlite3'],
    logLevel: 'error',
  })
  undisturbed = (await work('undisturbed')) ?? fail()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('an eval that is killed', () => {
  it('is the same eval without a kill: two cases, each model call once', async () => {
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
    'resumes at the same case, %s every append: no finished case again, no finished call paid again',
    async side => {
      // After its last append, an eval has ended: the next start is another one.
      const last = undisturbed.appends - (side === 'after' ? 1 : 0)
      for (let append = 1; append <= last; append += 1) {
        const name = `${side}-${append}`
        expect(await work(name, { append, side }), name).toBeUndefined()
        killPoints += 1
        const before = await ledgerOf(name)
        const { result } = (await work(name)) ?? fail()
        const ledger = await ledgerOf(name)
        const resumed = ledger.slice(before.length)
        expect(comparable(result), name).toEqual(comparable(undisturbed.result))
        // At most the one call whose answer was not yet durable is made again.
        const again = resumed.filter(line => before.includes(line) && !line.startsWith('result'))
        const [repeated, ...more] = again.filter(line => line.startsWith('model') || line.startsWith('judge'))
        expect(more, name).toEqual([])
        if (repeated !== undefined)
          expect(
            before.findLast(line => !line.startsWith('score')),
            name,
          ).toBe(repeated)
        // The second case begins when the first has ended.
        if (before.some(line => line.includes('second'))) expect(resumed.join(), name).not.toContain('first')
        if (before.some(line => line.startsWith('result')))
          expect(
            resumed.every(line => line.startsWith('result')),
            name,
          ).toBe(true)
      }
    },
    120_000,
  )

  it('was killed before and after every append', () => {
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
    trials: trials.map(({ runId: _, durationMs: __, ...rest }) => rest),
  }))
  return { cases: plain, passed, costUsd }
}

function fail(): never {
  throw new Error('the process was killed')
}
