import {
  checkOptions,
  toolError,
  toolOk,
  ParleyError,
  type PermissionRule,
  type Tool,
  type ToolOutcome,
  type OptionKinds,
} from '@parley/core'
import { delimiter, isAbsolute } from 'node:path'
import { defineBuiltIn } from '../define-built-in.ts'
import type { InferInput } from '../infer-input.ts'
import { isInside } from '../workspace/path-judge.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { childEnvironment, PASSED_VARIABLES } from './child-environment.ts'
import { coderPolicy } from './coder-policy.ts'
import { argvFault, judgeCommand, resolveDirectory } from './judge-command.ts'
import { findNetworkIsolation } from './network-isolation.ts'
import { noNetworkPolicy, readOnlyPolicy } from './read-only-policy.ts'
import { runCommand, type CommandResult } from './run-command.ts'
import { findSandbox, type Sandbox } from './sandbox/find-sandbox.ts'
import { sandboxCommand } from './sandbox/sandbox-command.ts'
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
  /**
   * Whether commands run in a sandbox of the operating system (bubblewrap on Linux), which enforces what the policy allows. `auto`
   * uses it if this machine has one, `require` refuses every command if it has none. The result of each command names the sandbox.
   * @default 'auto'
   */
  readonly sandbox?: 'auto' | 'require' | 'off' | undefined
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
  /**
   * Maximum bytes of stdout, and of stderr, that are shown to the model: half from the start, half from the end.
   * @default 50_000
   */
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

const OPTIONS: OptionKinds<ShellToolOptions> = {
  workspace: 'object!',
  policy: 'string or object',
  confirm: 'string or function',
  sandbox: ['auto', 'require', 'off'],
  env: 'object',
  passEnv: 'strings',
  setEnv: 'object',
  timeoutMs: 'number',
  maxTimeoutMs: 'number',
  graceMs: 'number',
  maxOutputBytes: 'number',
}

/**
 * Creates the tool `shell`, of effect `once`, which runs one program in the workspace. No shell interprets the arguments. The
 * environment has only the variables of `passEnv`, `setEnv` and the policy. Standard input is closed. When the call ends, for
 * any reason, all processes that it started have ended. Requires Node.js on a POSIX system.
 * @throws ParleyError `config-invalid` if the policy is unknown or a number is not above 0.
 */
export function createShellTool(options: ShellToolOptions): Tool<ShellInput, ToolOutcome> {
  return createShellToolWith(options, runCommand)
}

/** Like `createShellTool`, with another way to run the commands that the policy allows. */
export function createShellToolWith(options: ShellToolOptions, run: typeof runCommand): Tool<ShellInput, ToolOutcome> {
  checkOptions('createShellTool', options, OPTIONS)
  const {
    workspace,
    policy: given = 'read-only',
    confirm = 'always',
    sandbox: wanted = 'auto',
    env = process.env,
    passEnv = PASSED_VARIABLES,
    setEnv = {},
    timeoutMs: defaultTimeoutMs = 30_000,
    maxTimeoutMs = Math.max(600_000, defaultTimeoutMs),
    graceMs = 2_000,
    maxOutputBytes = 50_000,
  } = options
  const policy = typeof given === 'string' ? policyOf(given) : given
  for (const [path, value] of Object.entries({ timeoutMs: defaultTimeoutMs, maxTimeoutMs, maxOutputBytes })) {
    if (!(value > 0)) throw new ParleyError({ code: 'config-invalid', path, detail: `is ${value}; must be above 0` })
  }
  const environment = childEnvironment({ source: env, passed: passEnv, added: { ...policy.environment, ...setEnv } })
  if (!['auto', 'require', 'off'].includes(wanted)) {
    const detail = `'${wanted}' is unknown; known: auto, require, off`
    throw new ParleyError({ code: 'config-invalid', path: 'sandbox', detail })
  }
  let isolation: Promise<readonly string[]> | undefined
  let found: Promise<Sandbox | undefined> | undefined

  return defineBuiltIn({
    name: 'shell',
    description: `Runs one program in the workspace, without a shell: no pipes, redirections, wildcards or variables. ${policy.description}${SANDBOX_WORDS[wanted]}`,
    effect: 'once',
    input,
    // The command stops at its own limit, which is shorter, so that its output is returned.
    timeoutMs: maxTimeoutMs + graceMs + 10_000,
    permission: value => permissionOf((value as ShellInput).argv, policy, confirm),
    execute: async ({ argv, cwd = '.', timeoutMs = defaultTimeoutMs }, { signal, progress, run: facts }) => {
      const fault = argvFault(argv)
      if (fault !== undefined) return toolError(fault)
      const here = await workspace.forRun(facts)
      const directory = await resolveDirectory(here, cwd)
      if (wanted !== 'off') found ??= findSandbox()
      const sandbox = await found
      if (sandbox === undefined && wanted === 'require') return deny(policy, NO_SANDBOX)
      const path = environment['PATH'] ?? ''
      const command = await judgeCommand(argv, { workspace: here, policy, cwd: directory, path })
      if (typeof command === 'string') return deny(policy, command)
      if (policy.network === 'none' && sandbox === undefined) isolation ??= findNetworkIsolation()
      try {
        const result = await run({
          ...command,
          cwd: command.cwd ?? directory,
          environment: { ...environment, ...searchPath(policy, { path, workspace: here }), ...command.environment },
          limits: policy.limits,
          isolation:
            sandbox === undefined
              ? ((await isolation) ?? [])
              : await sandboxCommand({ sandbox, policy, workspace: here, command }),
          isSandboxed: sandbox !== undefined,
          timeoutMs: Math.min(timeoutMs, maxTimeoutMs),
          graceMs,
          maxOutputBytes,
          signal,
          onOutput: createProgress(progress, maxOutputBytes),
        })
        return toOutcome(result, { timeoutMs: Math.min(timeoutMs, maxTimeoutMs), sandbox: sandbox?.name ?? 'none' })
      } finally {
        await command.release?.()
      }
    },
  })
}

const NO_SANDBOX = 'This machine has no sandbox, and the tool requires one. Ask the user to install bubblewrap.'
const SANDBOX_WORDS = {
  auto: ' If this machine has a sandbox, commands run in it.',
  require: ' Commands run in a sandbox.',
  off: '',
}

interface OutcomeFacts {
  readonly timeoutMs: number
  readonly sandbox: 'bubblewrap' | 'none'
}

/**
 * Returns the search path of a command, if the policy only reads. A program that the command starts is then not
 * searched in the workspace, where an agent could write it.
 */
function searchPath(
  { files }: ShellPolicy,
  { path, workspace }: { readonly path: string; readonly workspace: Workspace },
): Readonly<Record<string, string>> {
  if (files !== 'read') return {}
  const roots = [...workspace.roots, ...(workspace.within?.roots ?? [])]
  const kept = path.split(delimiter).filter(one => isAbsolute(one) && !roots.some(root => isInside(root, one)))
  return { PATH: kept.join(delimiter) }
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

/** Reports output as progress while the command runs, up to the number of bytes that are shown to the model. */
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

function toOutcome(result: CommandResult, { timeoutMs, sandbox }: OutcomeFacts): ToolOutcome {
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
    sandbox,
  }
  if (!timedOut) return toolOk(text, facts)
  return toolError(`${text}\nAsk for more time with timeoutMs, or do less at once.`, {
    error: { code: 'tool-timeout', tool: 'shell', ms: timeoutMs },
    metadata: facts,
  })
}
