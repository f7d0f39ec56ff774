import { toolError, toolOk, ParleyError, type PermissionRule, type Tool, type ToolOutcome } from '@parley/core'
import { defineBuiltIn } from '../define-built-in.ts'
import type { InferInput } from '../infer-input.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { childEnvironment, PASSED_VARIABLES } from './child-environment.ts'
import { coderPolicy } from './coder-policy.ts'
import { argvFault, judgeCommand, resolveDirectory } from './judge-command.ts'
import { findNetworkIsolation } from './network-isolation.ts'
import { noNetworkPolicy, readOnlyPolicy } from './read-only-policy.ts'
import { runCommand, type CommandResult } from './run-command.ts'
import type { ShellPolicy } from './shell-policy.ts'

export interface ShellToolOptions {
  /** Where commands run, and whose files they may name. Made by `createWorkspace`. */
  readonly workspace: Workspace
  /** What may run. @default 'read-only' */
  readonly policy?: 'read-only' | 'no-network' | 'coder' | ShellPolicy | undefined
  /**
   * Which commands wait for a person's approval: all, none, or those for which the function says so. A command that the
   * policy refuses asks nobody. @default 'always'
   */
  readonly confirm?: 'always' | 'never' | ((argv: readonly string[]) => boolean) | undefined
  /** Where passed variables come from. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Variables that are passed through from `env`; a `*` at the end stands for any rest. @default PASSED_VARIABLES */
  readonly passEnv?: readonly string[] | undefined
  /** Variables commands get beside those, as they are. @default {} */
  readonly setEnv?: Readonly<Record<string, string>> | undefined
  /** Milliseconds for a command that asks for nothing else. @default 30_000 */
  readonly timeoutMs?: number | undefined
  /** Most milliseconds a command may ask for. @default 600_000 */
  readonly maxTimeoutMs?: number | undefined
  /** Milliseconds from asking processes to end to ending them. @default 2_000 */
  readonly graceMs?: number | undefined
  /** Most bytes of stdout, and of stderr, that the model is shown: the first and the last half. @default 50_000 */
  readonly maxOutputBytes?: number | undefined
}

const POLICIES = { 'read-only': readOnlyPolicy, 'no-network': noNetworkPolicy, coder: coderPolicy } as const

const input = {
  type: 'object',
  properties: {
    argv: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      description: "The program and its arguments, each as its own item: ['git', 'log', '-5']. No shell reads them.",
    },
    cwd: { type: 'string', description: "Directory to run in. Default: '.', the workspace root." },
    timeoutMs: { type: 'integer', minimum: 1, description: 'Milliseconds after which it is stopped.' },
  },
  required: ['argv'],
  additionalProperties: false,
} as const

type ShellInput = InferInput<typeof input>

/**
 * The tool `shell`, of effect `once`: runs one program in the workspace. No shell reads the arguments; the environment
 * has only what is passed; input is closed; when the call ends, for whatever reason, all it started is gone.
 * Needs Node.js on a POSIX system.
 * @throws ParleyError `config-invalid` when there is no such policy or a number makes no sense.
 */
export function createShellTool({
  workspace,
  policy: given = 'read-only',
  confirm = 'always',
  env = process.env,
  passEnv = PASSED_VARIABLES,
  setEnv = {},
  timeoutMs: defaultTimeoutMs = 30_000,
  maxTimeoutMs = Math.max(600_000, defaultTimeoutMs),
  graceMs = 2_000,
  maxOutputBytes = 50_000,
}: ShellToolOptions): Tool<ShellInput, ToolOutcome> {
  const policy = typeof given === 'string' ? policyOf(given) : given
  for (const [path, value] of Object.entries({ timeoutMs: defaultTimeoutMs, maxTimeoutMs, maxOutputBytes })) {
    if (!(value > 0)) throw new ParleyError({ code: 'config-invalid', path, detail: `is ${value}, it must be above 0` })
  }
  const environment = childEnvironment({ source: env, passed: passEnv, added: { ...policy.environment, ...setEnv } })
  let isolation: Promise<readonly string[]> | undefined

  return defineBuiltIn({
    name: 'shell',
    description: `Runs one program in the workspace, without a shell: no pipes, redirections, wildcards or variables. ${policy.description}`,
    effect: 'once',
    input,
    // The command ends itself in time to tell what it had said.
    timeoutMs: maxTimeoutMs + graceMs + 10_000,
    permission: value => permissionOf((value as ShellInput).argv, policy, confirm),
    execute: async ({ argv, cwd = '.', timeoutMs = defaultTimeoutMs }, { signal, progress, run }) => {
      const fault = argvFault(argv)
      if (fault !== undefined) return toolError(fault)
      const here = await workspace.forRun(run)
      const directory = await resolveDirectory(here, cwd)
      const path = environment['PATH'] ?? ''
      const command = await judgeCommand(argv, { workspace: here, policy, cwd: directory, path })
      if (typeof command === 'string') return deny(policy, command)
      if (policy.network === 'none') isolation ??= findNetworkIsolation()
      const result = await runCommand({
        ...command,
        cwd: directory,
        environment,
        limits: policy.limits,
        isolation: (await isolation) ?? [],
        timeoutMs: Math.min(timeoutMs, maxTimeoutMs),
        graceMs,
        maxOutputBytes,
        signal,
        onOutput: createProgress(progress, maxOutputBytes),
      })
      return toOutcome(result, Math.min(timeoutMs, maxTimeoutMs))
    },
  })
}

function policyOf(name: string): ShellPolicy {
  if (Object.hasOwn(POLICIES, name)) return POLICIES[name as keyof typeof POLICIES]
  const detail = `'${name}' is not one of ${Object.keys(POLICIES).join(', ')}`
  throw new ParleyError({ code: 'config-invalid', path: 'policy', detail })
}

function permissionOf(
  argv: readonly string[],
  policy: ShellPolicy,
  confirm: NonNullable<ShellToolOptions['confirm']>,
): PermissionRule {
  if (argvFault(argv) !== undefined || !policy.check(argv).ok) return 'allow'
  const asks = typeof confirm === 'function' ? confirm(argv) : confirm === 'always'
  return asks ? { effect: 'ask', prompt: `Run this command? ${JSON.stringify(argv)}` } : 'allow'
}

function deny(policy: ShellPolicy, reason: string): ToolOutcome {
  const text = `The command was not run (policy '${policy.name}'). ${reason}`
  return toolError(text, { error: { code: 'tool-denied', tool: 'shell', reason } })
}

/** Tells watchers of output as it comes, no more of it than the model is shown. */
function createProgress(
  progress: (update: { stream: string; text: string }) => void,
  maxBytes: number,
): (stream: 'stdout' | 'stderr', chunk: Buffer) => void {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
  const left = { stdout: maxBytes, stderr: maxBytes }
  return (stream, chunk) => {
    if (left[stream] <= 0) return
    const text = decoders[stream].decode(chunk.subarray(0, left[stream]), { stream: true })
    left[stream] -= chunk.length
    if (text !== '') progress({ stream, text })
  }
}

function toOutcome(result: CommandResult, timeoutMs: number): ToolOutcome {
  const { stdout, stderr, exitCode, endedBy, timedOut, durationMs } = result
  const truncated = stdout.omittedBytes > 0 || stderr.omittedBytes > 0
  const ending = timedOut
    ? `[stopped after ${timeoutMs} ms, with all it had started]`
    : endedBy === undefined
      ? `[exit code ${exitCode ?? 'unknown'}]`
      : `[ended by ${endedBy}${endedBy === 'SIGXCPU' || endedBy === 'SIGKILL' ? '; it may have used too much time or memory' : ''}]`
  const parts = [
    stdout.text.trimEnd(),
    ...(stderr.text.trim() === '' ? [] : [`[stderr]\n${stderr.text.trimEnd()}`]),
    ending,
  ]
  const text = parts.filter(part => part !== '').join('\n')
  const facts = {
    stdout: stdout.text,
    stderr: stderr.text,
    exitCode: exitCode ?? null,
    signal: endedBy ?? null,
    timedOut,
    truncated,
    durationMs,
  }
  if (!timedOut) return toolOk(text, facts)
  return toolError(`${text}\nAsk for more time with timeoutMs, or do less at once.`, {
    error: { code: 'tool-timeout', tool: 'shell', ms: timeoutMs },
    metadata: facts,
  })
}
