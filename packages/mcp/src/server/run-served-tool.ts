import {
  isStandardSchema,
  isToolOutcome,
  ParleyError,
  toolOk,
  type Json,
  type PermissionRule,
  type Schema,
  type Tool,
  type ToolContext,
  type ToolOutcome,
  type ValidationIssue,
  untilAborted,
} from '@parley/core'
import type { ConcurrencyLimits } from './concurrency-limits.ts'

/** A tool call that needs approval before it runs. */
export interface McpApproval {
  readonly tool: string
  readonly input: unknown
  /** The question for the approver. */
  readonly prompt: string
}

export interface RunServedToolOptions {
  readonly server: string
  readonly approve: ((approval: McpApproval) => boolean | Promise<boolean>) | undefined
  readonly toolTimeoutMs: number
  readonly signal: AbortSignal
  readonly progress: (update: Json) => void
  readonly limits: ConcurrencyLimits
}

/** Validates the input, asks for permission and runs the tool. Rejects with the tool's error. */
export async function runServedTool(tool: Tool, raw: unknown, options: RunServedToolOptions): Promise<ToolOutcome> {
  const { name, permission = 'allow', concurrency } = tool
  const { server, limits, approve } = options
  const input = await validate(tool, raw)
  const run = {
    runId: crypto.randomUUID(),
    sessionId: server,
    agent: server,
    scope: 'default',
    path: [],
    context: undefined,
  }
  const rule = typeof permission === 'function' ? permission(input, run) : permission
  const prompt = await permit(rule, { tool: name, input, prompt: `Run '${name}'?` }, approve)
  const facts = { callId: crypto.randomUUID(), idempotencyKey: crypto.randomUUID(), run }
  return await limits.run(name, concurrency, async () => {
    const outcome = await execute(tool, input, { ...options, ...facts, approved: prompt })
    if (outcome.type !== 'ask') return outcome
    await permit('ask', { tool: name, input, prompt: outcome.prompt }, approve)
    return await execute(tool, input, { ...options, ...facts, approved: true })
  })
}

type ExecuteOptions = RunServedToolOptions & Pick<ToolContext, 'callId' | 'idempotencyKey' | 'run' | 'approved'>

async function execute(
  tool: Tool,
  input: unknown,
  { signal, toolTimeoutMs, progress, callId, idempotencyKey, run, approved }: ExecuteOptions,
): Promise<ToolOutcome> {
  const { name, timeoutMs = toolTimeoutMs } = tool
  const deadline = AbortSignal.timeout(timeoutMs)
  const stop = AbortSignal.any([signal, deadline])
  try {
    const context = { signal: stop, callId, idempotencyKey, progress, run, approved }
    const value: unknown = await untilAborted(Promise.resolve(tool.execute(input, context)), stop)
    return isToolOutcome(value) ? value : toOutcome(value)
  } catch (error) {
    if (deadline.aborted) throw new ParleyError({ code: 'tool-timeout', tool: name, ms: timeoutMs }, { cause: error })
    if (ParleyError.is(error) || signal.aborted) throw error
    const detail = error instanceof Error ? error.message : String(error)
    throw new ParleyError({ code: 'tool-failed', tool: name, detail }, { cause: error })
  }
}

function toOutcome(value: unknown): ToolOutcome {
  if (typeof value === 'string') return toolOk(value)
  const json = JSON.stringify(value) as string | undefined
  return json === undefined ? toolOk('(no content)') : toolOk(json, JSON.parse(json) as Json)
}

/** Asks for permission. @returns Whether a user approved the call. @throws ParleyError `tool-denied`. */
async function permit(
  rule: PermissionRule,
  approval: McpApproval,
  approve: RunServedToolOptions['approve'],
): Promise<boolean> {
  const refuse = (reason: string): never => {
    throw new ParleyError({ code: 'tool-denied', tool: approval.tool, reason })
  }
  if (rule === 'allow') return false
  if (rule === 'deny') return refuse('the tool is not allowed here.')
  // An MCP client has no roles.
  if (typeof rule === 'object' && rule.effect === 'allow')
    return refuse(`the call requires the role ${rule.roles.join(' or ')}.`)
  const { prompt = approval.prompt } = typeof rule === 'object' ? rule : {}
  if (approve === undefined) return refuse('the call requires approval, and the server has no approver.')
  return (await approve({ ...approval, prompt })) || refuse('the user refused.')
}

async function validate({ name, input: schema }: Tool, value: unknown): Promise<unknown> {
  const result = await check(schema, value)
  if (result.issues === undefined) return result.value
  throw new ParleyError({ code: 'tool-input-invalid', tool: name, issues: result.issues })
}

async function check(
  schema: Schema,
  value: unknown,
): Promise<{ readonly value: unknown; readonly issues?: undefined } | { readonly issues: ValidationIssue[] }> {
  const standard = isStandardSchema(schema)
    ? schema
    : (await import('@modelcontextprotocol/server')).fromJsonSchema({ ...schema })
  const result = await standard['~standard'].validate(value)
  if (result.issues === undefined) return { value: result.value }
  return { issues: result.issues.map(({ message, path = [] }) => ({ path: pointer(path), message })) }
}

function pointer(path: readonly (PropertyKey | { readonly key: PropertyKey })[]): string {
  return path.map(step => `/${String(typeof step === 'object' ? step.key : step)}`).join('')
}
