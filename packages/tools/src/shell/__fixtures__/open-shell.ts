import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { callTool } from '../../__fixtures__/call-tool.ts'
import { openTempDirectory, type TempDirectory } from '../../__fixtures__/open-temp-directory.ts'
import { createWorkspace } from '../../workspace/create-workspace.ts'
import { coderPolicy } from '../coder-policy.ts'
import { createShellTool, type ShellToolOptions } from '../create-shell-tool.ts'
import type { ShellPolicy } from '../shell-policy.ts'

/** A policy that allows every command, for tests that run commands. */
export const anything: ShellPolicy = {
  ...coderPolicy,
  name: 'anything',
  limits: {},
  check: argv => ({ ok: true, argv, paths: [], systemPaths: [], protectsRoots: false }),
}

export interface ShellOutcome {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number | null
  readonly signal: string | null
  readonly timedOut: boolean
  readonly truncated: boolean
}

/** Creates a shell tool in a temporary workspace, without a sandbox. */
export async function openShell(options: Partial<ShellToolOptions> = {}) {
  const temp = await openTempDirectory()
  const workspace = createWorkspace({ roots: [temp.path] })
  const tool = createShellTool({ workspace, policy: anything, sandbox: 'off', ...options })
  const run = (argv: readonly string[], more: Readonly<Record<string, unknown>> = {}) =>
    callTool([tool], 'shell', { argv, ...more })
  const facts = async (argv: readonly string[], more: Readonly<Record<string, unknown>> = {}): Promise<ShellOutcome> => {
    const { outcome } = await run(argv, more)
    return (outcome.type === 'ok'
      ? outcome.structured
      : outcome.type === 'error'
        ? outcome.metadata
        : undefined) as unknown as ShellOutcome
  }
  return { temp, tool, run, facts, [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose]() }
}

export const sh = (script: string): readonly string[] => ['sh', '-c', script]

/** Waits until a running command has written a file, and returns its content. */
export async function fileOf(temp: TempDirectory, name: string): Promise<string> {
  const path = join(temp.path, name)
  while (!existsSync(path) || readFileSync(path, 'utf8') === '') await delay(5)
  return readFileSync(path, 'utf8').trim()
}

/** Returns whether a process is still running. */
export function isAlive(pid: string): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false
  // A zombie has ended; only its parent has not collected it yet.
  return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}
