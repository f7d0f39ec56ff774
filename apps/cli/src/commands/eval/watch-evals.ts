import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import type { Terminal } from '../../render/terminal.ts'

/** Folders whose files do not count: what the evals write, and what others installed. */
const SKIPPED = /(?:^|[\\/])(?:\.parley|\.git|node_modules|dist)(?:[\\/]|$)/
/** Files of programs and data. A report that the evals write with --html or --junit must not start them again. */
const WATCHED = /\.(?:[cm]?[jt]sx?|jsonl?|csv|ya?ml|toml|md|txt|prompty)$/
/** Editors write a file in several steps. */
const SETTLE_MS = 200

/**
 * Runs this command without --watch, and again after each change below the working directory, until it is interrupted. Each run is a
 * process of its own, because a process never loads a module twice.
 */
export async function watchEvals(terminal: Terminal): Promise<void> {
  const [, program = '', ...args] = process.argv
  const given = args.filter(arg => arg !== '--watch')
  let child: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  const start = (): void => {
    // Killed between two appends or within one, it continues with what is finished, if the change does not concern it.
    child?.kill('SIGKILL')
    const started = spawn(process.execPath, [...process.execArgv, program, ...given], { stdio: 'inherit' })
    child = started
    started.once('exit', code => {
      if (child === started) terminal.out(terminal.style('dim', `exit code ${code ?? 1}; waits for changes\n`))
    })
  }
  const watcher = watch('.', { recursive: true }, (_, file) => {
    if (file === null || SKIPPED.test(file) || !WATCHED.test(file)) return
    clearTimeout(timer)
    timer = setTimeout(start, SETTLE_MS)
  })
  start()
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  clearTimeout(timer)
  watcher.close()
  child?.kill('SIGKILL')
  process.exitCode = 130
}
