import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand, toArguments, type CommandResult, type RunCommandOptions } from '../run-command.ts'

export interface CommandBatch {
  /** Takes the place of `runCommand`. The command runs with the others of its batch. */
  run(options: RunCommandOptions): Promise<CommandResult>
  /** Starts calls that use `run` at most once each, and runs their commands together. */
  runAll<T>(calls: readonly (() => Promise<T>)[]): Promise<readonly T[]>
}

interface Waiting {
  readonly options: RunCommandOptions
  readonly resolve: (result: CommandResult) => void
  readonly reject: (error: unknown) => void
}

/** Commands of one shell. The text of many more would not fit into its arguments, and several shells use several processors. */
const COMMANDS = 40
const TIMEOUT_MS = 150_000

/**
 * Runs many commands with one shell, and in one sandbox if they need the same one. It starts each program with the arguments, the
 * directory, the environment and the limits that `runCommand` would give it. Starting a process from Node.js takes several times
 * as long as the program itself.
 */
export function createCommandBatch(): CommandBatch {
  let waiting: Waiting[] = []
  let onProgress = (): void => {}
  return {
    run: options =>
      new Promise((resolve, reject) => {
        waiting.push({ options, resolve, reject })
        onProgress()
      }),
    async runAll(calls) {
      let settled = 0
      const ready = Promise.withResolvers<void>()
      // Refused calls end by themselves. The others wait in `run`.
      onProgress = () => {
        if (settled + waiting.length >= calls.length) ready.resolve()
      }
      const settle = (): void => {
        settled += 1
        onProgress()
      }
      const results = Promise.all(calls.map(call => call().finally(settle)))
      await ready.promise
      const commands = waiting
      waiting = []
      for (const group of Map.groupBy(commands, ({ options }) => sandboxOf(options)).values()) {
        const starts = group.flatMap((_, index) => (index % COMMANDS === 0 ? [index] : []))
        await Promise.all(starts.map(at => runGroup(group.slice(at, at + COMMANDS))))
      }
      return results
    },
  }
}

/** Start of the paths of the views of repositories. Each command of git has its own. */
// Steady: it is only compared with paths that `mkdtemp` has made.
const VIEW = join(tmpdir(), 'parley-git-')

/** Whether the word at this index belongs to the option `--ro-bind VIEW VIEW`. */
function showsView(words: readonly string[], index: number): boolean {
  return [index, index - 1, index - 2].some(
    start => words[start] === '--ro-bind' && words[start + 1]?.startsWith(VIEW) === true,
  )
}

/** Names the sandbox of a command, without the view that it reads. */
function sandboxOf({ isolation }: RunCommandOptions): string {
  return JSON.stringify(isolation.filter((_, index) => !showsView(isolation, index)))
}

/** Returns the sandbox of a command, with the views of all commands. */
function sandboxWithViews(isolation: readonly string[], group: readonly Waiting[]): readonly string[] {
  const at = isolation.findIndex((_, index) => showsView(isolation, index))
  if (at < 0) return isolation
  const views = group.map(({ options }) => options.isolation.filter((_, index) => showsView(options.isolation, index)))
  // At the place of its own view, because a sandbox for reading ends with the option that makes the root read-only.
  return [...isolation.slice(0, at), ...views.flat(), ...isolation.slice(at)]
}

async function runGroup(group: readonly Waiting[]): Promise<void> {
  const [first] = group
  if (first === undefined) return
  try {
    const mark = randomUUID()
    const { stdout, stderr, timedOut, exitCode } = await runCommand({
      ...first.options,
      program: '/bin/sh',
      args: ['-c', LOOP, 'sh', mark, ...group.map(({ options }) => scriptOf(options))],
      cwd: '/',
      environment: {},
      limits: {},
      isolation: sandboxWithViews(first.options.isolation, group),
      timeoutMs: TIMEOUT_MS,
      maxOutputBytes: 1e9,
      onOutput: () => {},
    })
    const [outputs, errors] = [partsOf(stdout.text, mark), partsOf(stderr.text, mark)]
    if (timedOut || outputs.length !== group.length || errors.length !== group.length) {
      const last = JSON.stringify(group[outputs.length]?.options.args)
      throw new Error(`${outputs.length} of ${group.length} commands ended, not ${last} (${exitCode}): ${stderr.text.slice(-500)}`)
    }
    for (const [index, { resolve }] of group.entries()) {
      const [output, error] = [outputs[index], errors[index]]
      resolve({
        stdout: { text: output?.text ?? '', omittedBytes: 0 },
        stderr: { text: error?.text ?? '', omittedBytes: 0 },
        exitCode: output?.exitCode,
        endedBy: undefined,
        timedOut: false,
        durationMs: 0,
      })
    }
  } catch (error) {
    for (const { reject } of group) reject(error)
  }
}

/** Runs each argument as a script, and ends its output with a line that has the mark and the exit code. */
const LOOP =
  'mark=$1; shift; for script; do (eval "$script") </dev/null; code=$?; printf "\\n%s %s\\n" "$mark" "$code"; printf "\\n%s %s\\n" "$mark" "$code" >&2; done'

/** Returns the text that becomes the command: the subshell that reads it replaces itself with the program. */
function scriptOf(options: RunCommandOptions): string {
  const [, , limited, , ...words] = toArguments({ ...options, isolation: [] })
  const variables = Object.entries(options.environment).map(([name, value]) => `${name}=${quote(value)}`)
  const exported = variables.length === 0 ? '' : `export ${variables.join(' ')};`
  return `cd ${quote(options.cwd)} || exit; unset OLDPWD; ${exported} set -- ${words.map(quote).join(' ')}; ${limited}`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

interface Part {
  readonly text: string
  readonly exitCode: number
}

function partsOf(text: string, mark: string): readonly Part[] {
  const pieces = text.split(`\n${mark} `)
  return pieces.slice(1).map((piece, index) => ({
    text: index === 0 ? (pieces[0] ?? '') : (pieces[index] ?? '').replace(/^\d+\n/, ''),
    exitCode: Number.parseInt(piece, 10),
  }))
}
