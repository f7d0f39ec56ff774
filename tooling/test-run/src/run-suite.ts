import path from 'node:path'
import { createCLI, parseCLI, startVitest, type Vitest } from 'vitest/node'
import { createNotTriedReporter } from './collect-not-tried.ts'
import { createProgressReporter, minutes } from './create-progress-reporter.ts'
import { FailuresAtEnd } from './failures-at-end.ts'
import { readFileTimes, writeFileTimes } from './file-times.ts'
import { fingerprintOf, readLastResult, writeLastResult } from './last-result.ts'

const HELP = `Usage: npx -y pnpm@12 test [PATH…] [OPTION…]
       npx -y pnpm@12 test:deep [PATH…] [OPTION…]

Runs the test files whose path contains a PATH, or the whole suite. A suite that has passed runs again after a change only.
The suite test proves every law and every package's own promises. The suite test:deep has the files *.deep.test.ts, which
take long: every kill point, chaos, Restate, browsers, large payloads, installed packages.

  --changed [REF]   runs the files that import a file with uncommitted changes, or one that has changed since REF
  -t PATTERN        runs the tests whose name matches a regular expression
  --slow            ends with the ten slowest files
  --force           runs the suite again, also if nothing has changed
  --help            prints this text

Other options go to Vitest, for example --sequence.shuffle or --project unit.
`

const ROOT = path.join(import.meta.dirname, '../../..')
const PROJECTS = { test: ['unit', 'process', 'postgres', 'types'], 'test:deep': ['deep'] }

type Suite = keyof typeof PROJECTS

interface Order {
  readonly suite: Suite
  readonly slow: boolean
  readonly force: boolean
  /** Paths and options of Vitest. */
  readonly rest: readonly string[]
}

/**
 * Runs the tests that the arguments of a command name.
 * @returns The exit code: 0 if every test passed, 1 if one failed, 2 if the arguments are invalid.
 */
export async function runSuite(words: readonly string[]): Promise<number> {
  if (words.includes('--help')) {
    process.stdout.write(HELP)
    return 0
  }
  const order = readOrder(words)
  if (order.rest.length > 0) return (await run(order)).code
  const fingerprint = await fingerprintOf(ROOT)
  const last = await readLastResult(order.suite)
  if (!order.force && last !== undefined && last.fingerprint === fingerprint) {
    const when = new Date(last.at).toLocaleString()
    const result = `${last.tests.toLocaleString('en')} tests passed in ${minutes(last.seconds)}`
    process.stdout.write(`Nothing has changed since ${result} (${when}). To run them again: --force\n`)
    return 0
  }
  const startedAt = performance.now()
  const { code, tests } = await run(order)
  const seconds = (performance.now() - startedAt) / 1000
  // A file that changed during the run may have been tested in its old form.
  if (code === 0 && fingerprint !== undefined && fingerprint === (await fingerprintOf(ROOT))) {
    await writeLastResult(order.suite, { fingerprint, tests, seconds, at: Date.now() })
  }
  return code
}

function readOrder(words: readonly string[]): Order {
  const own = new Set(['--deep', '--slow', '--force'])
  const rest = words.filter(word => !own.has(word))
  // A path that names a deep test leaves no doubt.
  const isDeep = words.includes('--deep') || rest.some(word => word.includes('.deep.test'))
  return {
    suite: isDeep ? 'test:deep' : 'test',
    slow: words.includes('--slow'),
    force: words.includes('--force'),
    rest,
  }
}

async function run({ suite, slow, rest }: Order): Promise<{ readonly code: number; readonly tests: number }> {
  process.env['NODE_COMPILE_CACHE'] ??= path.join(ROOT, 'node_modules/.cache/compile')
  let parsed: ReturnType<typeof parseCLI>
  try {
    parsed = parseCLI(['vitest', 'run', ...rest])
    // Vitest checks the options of a command only when it executes the command itself.
    const cli = createCLI()
    cli.parse(['node', 'vitest', 'run', ...rest], { run: false })
    cli.matchedCommand?.checkUnknownOptions()
  } catch (error) {
    process.stderr.write(
      `${error instanceof Error ? error.message : String(error)}\nSee npx -y pnpm@12 ${suite} --help\n`,
    )
    return { code: 2, tests: 0 }
  }
  // With a pattern a file runs only some of its tests, so its time says nothing.
  const keepTimes = parsed.options.testNamePattern === undefined ? writeFileTimes : (): void => {}
  const progress = createProgressReporter({ times: readFileTimes(), keepTimes, slow })
  const defaults = {
    root: ROOT,
    project: PROJECTS[suite],
    reporters: [progress, new FailuresAtEnd(), createNotTriedReporter()],
  }
  const vitest = await startVitest(parsed.filter, { ...defaults, ...parsed.options })
  const tests = explain(vitest, suite)
  return { code: Number(process.exitCode ?? 0), tests }
}

/** Says what to do next after a run with a failure or without tests. Returns the number of tests. */
function explain(vitest: Vitest, suite: Suite): number {
  const modules = vitest.state.getTestModules()
  const failed = modules.find(module => !module.ok())
  if (failed !== undefined) {
    process.stdout.write(`To run one file: npx -y pnpm@12 ${suite} ${failed.relativeModuleId}\n`)
  }
  if (modules.length === 0 && suite === 'test') {
    process.stdout.write('Tests of the deep suite: npx -y pnpm@12 test:deep PATH\n')
  }
  return modules.reduce((total, module) => total + [...module.children.allTests()].length, 0)
}
