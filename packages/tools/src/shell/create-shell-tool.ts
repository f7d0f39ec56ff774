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
  /** Where commands run and which files they may name. Create one with `createWorkspace`. */
  readonly workspace: Workspace
  /** Decides which commands may run. @default 'read-only' */
  readonly policy?: 'read-only' | 'no-network' | 'coder' | ShellPolicy | undefined
  /**
   * Decides which commands need approval: all, none, or those for which the function returns `true`. A command that the policy
   * refuses does not ask for approval. @default 'always'
   */
  readonly confirm?: 'always' | 'never' | ((argv: readonly string[]) => boolean) | undefined
  /** Source of the variables that are passed through. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Names of variables to pass through from `env`. A `*` at the end matches every ending. @default PASSED_VARIABLES */
  readonly passEnv?: readonly string[] | undefined
  /** Variables to add to the environment of every command. @default {} */
  readonly setEnv?: Readonly<Record<string, string>> | undefined
  /** Milliseconds for a command, unless the model asks for another timeout. @default 30_000 */
  readonly timeoutMs?: number | undefined
  /** Maximum milliseconds that the model may ask for. @default 600_000, or `timeoutMs` if that is longer */
  readonly maxTimeoutMs?: number | undefined
  /** Milliseconds between SIGTERM and SIGKILL when a command is stopped. @default 2_000 */
  readonly graceMs?: number | undefined
  /** Maximum bytes of stdout, and of stderr, that the model is shown: half from the start, half from the end. @default 50_000 */
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
 * Creates the tool `shell`, of effect `once`, which runs one program in the workspace. No shell interprets the arguments. The
 * environment has only the variables of `passEnv`, `setEnv` and the policy. Standard input is closed. When the call ends, for
 * any reason, all processes that it started have ended. Requires Node.js on a POSIX system.
 * @throws ParleyError `config-invalid` if the policy is unknown or a number is not above 0.
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
    if (!(value > 0)) throw new ParleyError({ code: 'config-invalid', path, detail: `is ${value}; must be above 0` })
  }
  const environment = childEnvironment({ source: env, passed: passEnv, added: { ...policy.environment, ...setEnv } })
  let isolation: Promise<readonly string[]> | undefined

  return defineBuiltIn({
    name: 'shell',
    description: `Runs one program in the workspace, without a shell: no pipes, redirections, wildcards or variables. ${policy.description}`,
    effect: 'once',
    input,
    // The command stops at its own limit, which is shorter, so that its output is returned.
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
  const detail = `'${name}' is unknown; known: ${Object.keys(POLICIES).join(', ')}`
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

/** Reports output as progress while the command runs, up to the number of bytes that the model is shown. */
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
    ? `[stopped after ${timeoutMs} ms, with all processes it had started]`
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
