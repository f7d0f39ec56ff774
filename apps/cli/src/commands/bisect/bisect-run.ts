import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { ParleyError } from '@parley/core'
import { loadRunRecording, type RunRecording } from '@parley/evals/recordings'
import type { Terminal } from '../../render/terminal.ts'
import { openExistingStore } from '../../store/open-store.ts'
import { findRun } from '../../store/read-run.ts'
import type { StepOrder, StepResult } from './replay-step.ts'
import { findRepository, pathInRepository, type Commit, type Repository } from './repository.ts'
import { searchCommits } from './search-commits.ts'

export interface BisectOptions {
  readonly run: string
  readonly good: string
  readonly bad: string
  /** Path of the module with the agents, in the repository. */
  readonly agents: string
  readonly db: string
}

/** Finds the first commit whose agents differ from a recorded run. @returns The exit code: 1 if no commit was found. */
export async function bisectRun(
  { run, good: goodName, bad, agents, db }: BisectOptions,
  terminal: Terminal,
): Promise<number> {
  const repository = await findRepository(process.cwd())
  const path = pathInRepository(repository.root, agents)
  const { good, commits } = await repository.range(goodName, bad)
  const { recording, runId } = await load(db, run)
  const last = commits.at(-1) ?? good
  const count = commits.length === 1 ? '1 commit' : `${commits.length} commits`
  terminal.out(`Run ${runId}: searching ${count} after ${good.short}, with the agents of ${path}.\n`)
  if (recording.cassette.calls.some(({ request }) => request.settings === undefined)) {
    terminal.error('The journal does not keep the requests of this run, so only messages and decisions are compared.\n')
  }
  const results = new Map<string, StepResult>()
  const test = async (commit: Commit): Promise<StepResult> => {
    const result = await testCommit(repository, commit, { recording, path })
    results.set(commit.id, result)
    terminal.out(`  ${commit.short}  ${wordsOf(result).padEnd(9)}  ${commit.title}\n`)
    if (result.result === 'skipped') terminal.out(terminal.style('dim', `           ${firstLine(result.reason)}\n`))
    return result
  }

  const atGood = await test(good)
  if (atGood.result === 'skipped')
    throw invalid('--good', `${good.short} cannot be tested: ${firstLine(atGood.reason)}`)
  if (atGood.result !== 'same') {
    terminal.out(`\n${atGood.differences}\n`)
    throw invalid('--good', `${good.short} differs from the recording already; give the commit that recorded the run`)
  }
  const atBad = await test(last)
  if (atBad.result === 'skipped') throw invalid('--bad', `${last.short} cannot be tested: ${firstLine(atBad.reason)}`)
  if (atBad.result === 'same') {
    terminal.out(`\nNo difference: with ${last.short} the run is the same as the recording.\n`)
    return 1
  }
  const { first, doubtful } = await searchCommits(commits.length, async index => {
    const commit = commits[index]
    const { result } = commit === undefined ? { result: 'skipped' as const } : await test(commit)
    return result === 'same' || result === 'skipped' ? result : 'different'
  })
  report(
    commits[first] ?? last,
    doubtful.flatMap(index => commits[index] ?? []),
    { results, terminal },
  )
  return 0
}

interface Found {
  readonly results: ReadonlyMap<string, StepResult>
  readonly terminal: Terminal
}

function report(first: Commit, doubtful: readonly Commit[], { results, terminal }: Found): void {
  const found = results.get(first.id)
  const heading =
    doubtful.length === 0 ? 'First commit that differs' : 'First commit that differs, as far as commits could be tested'
  terminal.out(
    `\n${terminal.style('bold', `${heading}: ${first.short}`)} ${first.title} (${first.author}, ${first.date})\n`,
  )
  for (const { short, title } of doubtful) terminal.out(`It could also be the skipped ${short} ${title}\n`)
  if (found === undefined || found.result === 'skipped') return
  terminal.out(`${found.differences}\n`)
  if (found.missing.length > 0)
    terminal.out(`Not compared: child runs of ${found.missing.join(', ')}. Export these agents to compare them.\n`)
}

async function load(db: string, wanted: string): Promise<{ readonly recording: RunRecording; readonly runId: string }> {
  await using store = await openExistingStore(db)
  const { runId } = await findRun(store, wanted)
  return { recording: await loadRunRecording(store, runId), runId }
}

interface Step {
  readonly recording: RunRecording
  readonly path: string
}

/** Tests a commit in a process of its own. */
async function testCommit(repository: Repository, commit: Commit, { recording, path }: Step): Promise<StepResult> {
  await using checkout = await repository.checkOut(commit)
  const folder = mkdtempSync(join(tmpdir(), 'parley-step-'))
  try {
    const [order, result] = [join(folder, 'order.json'), join(folder, 'result.json')]
    const step: StepOrder = { recording, agents: join(checkout.folder, path), result }
    writeFileSync(order, JSON.stringify(step), { mode: 0o600 })
    const program = process.argv[1] ?? ''
    const child = spawn(process.execPath, [...process.execArgv, program, 'bisect', '--step', order], {
      cwd: checkout.folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const [code, error] = await Promise.all([new Promise(done => child.once('close', done)), text(child.stderr)])
    if (existsSync(result)) return JSON.parse(readFileSync(result, 'utf8')) as StepResult
    return { result: 'skipped', reason: `its process ended with code ${String(code)}: ${error.trim()}` }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function wordsOf({ result }: StepResult): string {
  return result === 'request' || result === 'decision' ? 'different' : result
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}

function invalid(path: string, detail: string): ParleyError {
  return new ParleyError({ code: 'config-invalid', path, detail })
}
