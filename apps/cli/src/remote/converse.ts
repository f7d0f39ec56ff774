import type { AgentMessage, AgentResponse, AgentStream, PendingApproval } from '@parley/agent-api'
import type { ApprovalDecision } from '@parley/core'
import { askApproval, type AskOptions } from '../ask/ask-approval.ts'
import { terminalPrompter } from '../ask/prompter.ts'
import { withStopKeys } from '../ask/stop-keys.ts'
import { createMarkdown } from '../render/markdown-writer.ts'
import type { RemoteOptions } from './remote-options.ts'
import { createResponsePrinter, type ResponsePrinter } from './response-printer.ts'

/** The last response that was shown, and the exit code that follows from it. */
export interface Conversed {
  readonly response: AgentResponse
  readonly exitCode: number
}

/**
 * Shows a response. At a terminal, asks the user what it waits for and shows how it continues.
 * @param always Tools whose calls are approved without a question.
 */
export async function converse(
  first: AgentStream,
  options: RemoteOptions,
  always = new Set<string>(),
): Promise<Conversed> {
  const { terminal, mode } = options
  const isAsking = terminal.isInteractive && mode === 'text'
  const markdown = isAsking && !terminal.isPlain ? await createMarkdown(terminal) : undefined
  const asking: AskOptions = { terminal, prompter: terminalPrompter(terminal), always, canEdit: false }
  for (let stream = first; ;) {
    const printer = createResponsePrinter(terminal, { mode, markdown })
    const response = await showResponse(stream, printer, options)
    const waiting = await waitingFor(response, options)
    const next = isAsking ? await answer(response, waiting, { ...options, asking }) : undefined
    if (next === undefined) return leave(response, waiting, options)
    stream = next
  }
}

/** The unanswered requests of a response: approvals, and calls that the client executes. */
interface Waiting {
  readonly approvals: readonly PendingApproval[]
  readonly calls: readonly { readonly callId: string; readonly name: string; readonly input: string }[]
}

async function waitingFor({ id, output }: AgentResponse, { client }: RemoteOptions): Promise<Waiting> {
  const messages = output ?? []
  const approvals = messages.some(({ type }) => type === 'mcp_approval_request') ? await client.approvals(id) : []
  const settled = new Set([...fieldsOf(messages, /_output$/), ...approvals].map(each => each.callId))
  const calls = fieldsOf(messages, /^function_call$/).filter(({ callId }) => !settled.has(callId))
  return { approvals, calls }
}

/** The calls or results among the messages of a response. */
function fieldsOf(messages: readonly AgentMessage[], type: RegExp): Waiting['calls'] {
  return messages.flatMap(message => {
    const [part] = message.content ?? []
    if (!type.test(message.type) || part?.type !== 'data' || part.data === null) return []
    const { call_id: callId, name, arguments: input } = part.data
    return [{ callId: String(callId), name: String(name), input: String(input) }]
  })
}

type Answering = RemoteOptions & { readonly asking: AskOptions }

async function answer(
  { id, session_id: session }: AgentResponse,
  { approvals, calls }: Waiting,
  { client, asking }: Answering,
): Promise<AgentStream | undefined> {
  const [approval] = approvals
  if (approval !== undefined) {
    const decision = await askApproval(approval, asking)
    return decision && client.decide(id, approval.approvalId, { decision: toWire(decision) })
  }
  const [call] = calls
  if (call === undefined) return undefined
  const { terminal, prompter } = asking
  terminal.out(`${terminal.style('yellow', '?')} ${terminal.style('bold', call.name)} ${call.input}\n`)
  const output = await prompter.ask(`  Result of ${call.name} › `)
  if (output === undefined) return undefined
  const data = { call_id: call.callId, output }
  const result = { role: 'tool' as const, type: 'function_call_output', content: [{ type: 'data' as const, data }] }
  return client.process({ session_id: session, input: [result] })
}

function toWire(decision: ApprovalDecision) {
  return decision.type === 'rejected'
    ? { approve: false as const, reason: decision.reason }
    : { approve: true as const }
}

/** Shows a response until it ends. Esc and the first Ctrl-C stop its run, the second Ctrl-C exits at once. */
async function showResponse(
  stream: AgentStream,
  printer: ResponsePrinter,
  { client, terminal, mode }: RemoteOptions,
): Promise<AgentResponse> {
  const startedAt = performance.now()
  let [interrupts, isStopped, isSent] = [0, false, false]
  const stop = (): void => {
    isStopped = true
    const id = stream.current?.id
    if (id === undefined || isSent) return
    isSent = true
    // If the request fails, the response continues and the user sees that.
    client.cancel(id).catch(() => {})
  }
  const onInterrupt = (): void => {
    if (++interrupts > 1) process.exit(130)
    stop()
  }
  const show = async (): Promise<AgentResponse> => {
    for await (const event of stream) {
      printer.event(event)
      if (isStopped) stop()
    }
    const response = await stream.response()
    printer.end(response, performance.now() - startedAt)
    return response
  }
  process.on('SIGINT', onInterrupt)
  try {
    return await (terminal.isInteractive && mode === 'text' ? withStopKeys(stop, show) : show())
  } finally {
    process.off('SIGINT', onInterrupt)
  }
}

const EXIT_CODES: Readonly<Record<string, number>> = { completed: 0, canceled: 130 }

/** Prints the commands that continue from a response. */
function leave(response: AgentResponse, { approvals, calls }: Waiting, options: RemoteOptions): Conversed {
  const { terminal, mode, command, server } = options
  const isWaiting = approvals.length + calls.length > 0
  if (mode === 'text') {
    const decide = approvals.length > 0 ? ` · decide: ${command} approve ${response.id} --server ${server}` : ''
    terminal.out(`${terminal.style('dim', `  response: ${response.id} · session: ${response.session_id}${decide}`)}\n`)
  }
  return { response, exitCode: isWaiting ? 3 : (EXIT_CODES[response.status] ?? 1) }
}
