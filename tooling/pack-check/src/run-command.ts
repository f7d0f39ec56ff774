import { execFile } from 'node:child_process'

export interface RunCommandOptions {
  /** Folder in which the command runs. @default the current folder */
  readonly cwd?: string | undefined
}

/** The result of a command. `output` is its standard output followed by its standard error. */
export interface CommandResult {
  readonly ok: boolean
  readonly stdout: string
  readonly output: string
}

/** Runs a command until it ends. Does not throw if the command fails. */
export function runCommand(
  command: string,
  args: readonly string[],
  { cwd }: RunCommandOptions = {},
): Promise<CommandResult> {
  return new Promise(resolve => {
    // The output is searched and printed in lists. Some tools write colors into a pipe if CI is set.
    const env = { ...process.env, NO_COLOR: '1' }
    execFile(command, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const words = error !== null && stdout === '' && stderr === '' ? error.message : ''
      resolve({ ok: error === null, stdout, output: `${stdout}${stderr}${words}`.trim() })
    })
  })
}
