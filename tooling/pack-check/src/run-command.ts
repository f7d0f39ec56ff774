import { execFile } from 'node:child_process'

export interface RunCommandOptions {
  /** @default the current folder */
  readonly cwd?: string | undefined
}

/** How a command ended. `output` is what it wrote, standard output before standard error. */
export interface CommandResult {
  readonly ok: boolean
  readonly stdout: string
  readonly output: string
}

/** Runs a command to its end. Does not throw when it fails. */
export function runCommand(
  command: string,
  args: readonly string[],
  { cwd }: RunCommandOptions = {},
): Promise<CommandResult> {
  return new Promise(resolve => {
    // Output is matched and shown in lists: no colours, which some tools also send into a pipe when CI is set.
    const env = { ...process.env, NO_COLOR: '1' }
    execFile(command, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const words = error !== null && stdout === '' && stderr === '' ? error.message : ''
      resolve({ ok: error === null, stdout, output: `${stdout}${stderr}${words}`.trim() })
    })
  })
}
