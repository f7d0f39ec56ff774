import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { programs } from '@parley-tooling/runtimes/install-programs'

/** A process of the inspector's command line. */
export interface Inspection {
  /** Its exit code, and what it wrote. */
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>
  /** Interrupts the process as Ctrl-C does. */
  readonly interrupt: () => void
}

/** Starts the command line of the MCP inspector against the MCP server of `url`. `installPrograms` installs the inspector. */
export function inspect(url: string, ...args: readonly string[]): Inspection {
  const launcher = programs.resolve('@modelcontextprotocol/inspector/clients/launcher/build/index.js')
  // The inspector keeps its catalog in the home directory.
  const home = mkdtempSync(path.join(tmpdir(), 'inspector-'))
  const child = spawn(
    process.execPath,
    [launcher, '--cli', '--server-url', `${url}/mcp`, '--transport', 'http', '--format', 'json', '--connect-timeout', '120000', ...args],
    { env: { PATH: process.env['PATH'], HOME: home, USERPROFILE: home }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  return {
    ended: new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', code => resolve({ code, stdout, stderr }))
    }),
    interrupt: () => void child.kill('SIGINT'),
  }
}
