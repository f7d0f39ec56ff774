import { readFileSync } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { claimedOutput } from '@parley/snippets/claimed-output'
import { runOnPlatforms } from '@parley-tooling/runtimes/run-on-platforms'
import { checkTypes } from './check-types.ts'
import { PACKED_PROGRAMS, PLATFORM_PROGRAM, type PackedProgram } from './packed-programs.ts'
import { runCommand } from './run-command.ts'

/** How the programs ran. */
export interface ProgramsReport {
  readonly programs: number
  /** Platforms that ran a program, and those without a binary for this machine. */
  readonly ran: readonly string[]
  readonly skipped: readonly string[]
  readonly problems: readonly string[]
}

export interface ProgramsRequest {
  /** Root of the repository. */
  readonly root: string
  /** A folder with all packages installed. */
  readonly folder: string
}

/** What the programs need beyond `strict`: they use Node.js, and run without a build. */
const OPTIONS = { types: ['node'], target: 'esnext', allowImportingTsExtensions: true }

/**
 * Copies the programs of new users beside the installed packages, compiles them and runs them. They run on the Node.js of this
 * process, because the oldest supported one has no `await using`.
 */
export async function runPrograms({ root, folder }: ProgramsRequest): Promise<ProgramsReport> {
  const problems: string[] = []
  const texts: Record<string, string> = {}
  for (const program of PACKED_PROGRAMS) {
    const place = program.name.replaceAll(' ', '-')
    const target = join(folder, 'programs', place)
    await mkdir(target, { recursive: true })
    const filter = (path: string): boolean => !/(node_modules|package\.json)$/.test(path)
    await cp(join(root, program.folder), target, { recursive: true, filter })
    for (const file of program.files) {
      texts[`${place}/${file}`] = readFileSync(join(target, file), 'utf8')
      problems.push(...(await runProgram(program, { target, folder, file })))
    }
  }
  problems.push(...(await checkTypes({ folder, name: 'programs', files: texts, options: OPTIONS })))
  const platforms = await runOnPlatforms({ ...PLATFORM_PROGRAM, folder: join(folder, 'programs/any-runtime') })
  return { ...platforms, programs: PACKED_PROGRAMS.length, problems: [...problems, ...platforms.problems] }
}

interface ProgramRun {
  readonly target: string
  readonly folder: string
  readonly file: string
}

async function runProgram({ name }: PackedProgram, run: ProgramRun): Promise<readonly string[]> {
  const { target, folder, file } = run
  const isTest = file.endsWith('.test.ts')
  const vitest = [
    join(folder, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--testTimeout',
    '60000',
    '--root',
    target,
    basename(file),
  ]
  const { ok, stdout, output } = await runCommand(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', ...(isTest ? vitest : [file])],
    { cwd: target },
  )
  if (!ok) return [`the program '${name}' (${file}) fails with the packed packages:\n${output}`]
  if (isTest) return []
  const claimed = claimedOutput(readFileSync(join(target, file), 'utf8')).join('\n')
  const printed = stdout.replace(/\n$/, '')
  if (printed === claimed && output === printed.trim()) return []
  return [
    `the program '${name}' (${file}) prints something else with the packed packages:\n${output}\nannounced:\n${claimed}`,
  ]
}
