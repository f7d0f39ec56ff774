// Runs the turn and replay vectors of the format on the engine, and translates events of the real run into the vectors' words.
//
// The vectors describe an engine with more steps than ours has. What has no event of its own is listed in TRANSLATED; the
// vectors do not check it. The list is printed after every run.
import { toolError, toolOk } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'

/** Words of the vectors that the adapter derives from another event, or writes without an event of the engine. */
const TRANSLATED = [
  'context_prepared: written with every model.started, because the engine prepares the context within that step',
  'checkpoint_created: written with every model.called, tool.ended and joined round, because each is one durable append',
  'post_commit_started, post_commit_completed: written with run.ended, because the engine has no work after the commit',
  'tool_result_committed: counted from the calls of a round, because the engine records all results of a round together',
  'permission_requested, permission_resolved: written by the middleware of this adapter, which asks the vector for its verdict',
  'nextPortability, delegatedState: repeated from the script of the model, because our engine has neither',
  'session and summary lines of replay: written by the adapter; one run is one session with one turn',
]
let hasRun = false
process.on('exit', () => {
  if (hasRun) console.log(`turn and replay vectors do not check:\n${TRANSLATED.map(line => `- ${line}`).join('\n')}`)
})

/** Creates a model whose answers come from the function `answer`. */
function modelOf(answer) {
  return {
    provider: 'kit',
    id: 'model',
    info: {},
    async *stream(request) {
      const { text, calls } = await answer(request)
      if (text !== undefined) yield { type: 'text.delta', text }
      for (const { id, ...call } of calls)
        yield { type: 'tool-call', callId: id, name: 'dispatch', arguments: JSON.stringify({ id, ...call }) }
      yield { type: 'finish', reason: calls.length > 0 ? 'tool-calls' : 'stop' }
    },
  }
}

/**
 * Runs one turn on the engine. One tool stands for all tools, because the vectors name a tool only when they call it.
 */
async function runEngine({ messages, answer, authorize, execute, event, maxTurns = 50, signal }) {
  hasRun = true
  const denied = new Set()
  const dispatch = { name: 'dispatch', description: 'Any tool.', input: { type: 'object' }, execute }
  const watch = {
    name: 'kit',
    begin: () => ({
      event,
      async tool(call, next) {
        const { approved, reason } = await authorize(call.input)
        if (approved) return next(call)
        denied.add(call.callId)
        return toolError(reason, { error: { code: 'tool-denied', tool: call.input.name, reason } })
      },
    }),
  }
  const agent = defineAgent({
    name: 'kit',
    model: modelOf(answer),
    tools: [dispatch],
    toolExecution: 'sequential',
    onLimit: 'fail',
    limits: { maxTurns },
    middleware: [watch],
  })
  await using runtime = createRuntime()
  const last = messages.at(-1)?.content ?? ''
  const history = messages
    .slice(0, -1)
    .map(({ role, content }) =>
      role === 'system' ? { role, content } : { role, content: [{ type: 'text', text: content }] },
    )
  return runtime.run(agent, last, { history, signal }).result
}

export async function runTurn({ messages, model, tools, authorize, signal }) {
  const eventKinds = []
  const say = (...kinds) => eventKinds.push(...kinds)
  const snapshots = []
  const results = []
  let portability = 'portable'
  const delegated = []
  let open = 0
  const result = await runEngine({
    messages,
    signal,
    async answer(request) {
      snapshots.push({ portability, stablePrefix: commonPrefix(messages, request.messages) })
      const { output, assistant, tools: calls = [], nextPortability, delegatedState = [] } = await model()
      if (nextPortability !== undefined) portability = nextPortability
      delegated.push(...delegatedState)
      return { text: output ?? assistant, calls }
    },
    async authorize(call) {
      say('permission_requested')
      const verdict = await authorize(call)
      say('permission_resolved')
      return verdict
    },
    execute: async ({ id, name, arguments: input }) => toolOk(await tools({ id, name, arguments: input })),
    event(event) {
      if (event.type === 'run.started') say('turn_started')
      else if (event.type === 'model.started') say('context_prepared', 'model_invocation_started')
      else if (event.type === 'model.called') say('model_invocation_completed', 'checkpoint_created')
      else if (event.type === 'message.appended' && event.source === 'model')
        open = event.message.content.filter(part => part.type === 'tool-call').length
      else if (event.type === 'tool.started') say('tool_execution_started')
      else if (event.type === 'tool.ended') {
        results.push(event.callId)
        if (event.error === undefined) say('tool_execution_completed', 'checkpoint_created')
        if (--open > 0) return
        say(...results.slice(-roundOf(eventKinds)).map(() => 'tool_result_committed'))
        say('conversation_updated', 'checkpoint_created')
      } else if (event.type === 'run.ended') {
        if (event.outcome.status === 'completed') say('turn_committed', 'post_commit_started', 'post_commit_completed')
        else say(event.outcome.status === 'cancelled' ? 'turn_cancelled' : 'turn_failed')
      }
    },
  })
  return {
    status: result.status === 'completed' ? 'success' : result.status === 'cancelled' ? 'cancelled' : 'error',
    output: result.text,
    iterations: result.turns,
    snapshots: snapshots.length,
    snapshotStablePrefixes: snapshots.map(({ stablePrefix }) => stablePrefix),
    snapshotPortability: snapshots.map(snapshot => snapshot.portability),
    toolResults: results.length,
    toolResultOrder: results,
    commitPortability: portability,
    delegatedState: delegated.length,
    eventKinds,
  }
}

/** Counts the messages of the vector that a request begins with. */
function commonPrefix(given, sent) {
  const differing = given.findIndex(({ role, content }, index) => {
    const message = sent[index]
    const text =
      typeof message?.content === 'string' ? message.content : message?.content.map(part => part.text).join('')
    return message?.role !== role || text !== content
  })
  return differing === -1 ? given.length : differing
}

/** Counts the tool calls since the last model call. */
function roundOf(eventKinds) {
  return eventKinds
    .slice(eventKinds.lastIndexOf('model_invocation_completed'))
    .filter(kind => kind === 'permission_requested').length
}

export async function replay({ sessionId, turnId, maxIterations = 10, inputs, model, tools, permission }) {
  const lines = []
  const session = (type, ...rest) => lines.push(['session', type, sessionId, turnId, ...rest].join(':'))
  const turn = (type, iteration, ...rest) => lines.push(['turn', type, iteration, ...rest].join(':'))
  let iteration = -1
  let toolResults = []
  let checkpoints = 0
  let open = 0
  const failures = new Map()
  const result = await runEngine({
    messages: [{ role: 'user', content: JSON.stringify(inputs ?? {}) }],
    maxTurns: maxIterations,
    async answer() {
      const { output, toolRequests = [] } = await model({ iteration, toolResults })
      toolResults = []
      const calls = toolRequests.map(({ requestId, toolCallId: id, toolName: name, arguments: input }) => ({
        id,
        requestId,
        name,
        arguments: input,
      }))
      return { text: output === undefined ? undefined : JSON.stringify(output), calls }
    },
    async authorize({ id, requestId }) {
      turn('permission_requested', iteration, `${requestId}-permission`)
      const verdict = await permission()
      turn('permission_completed', iteration, Boolean(verdict.approved))
      if (!verdict.approved) failures.set(id, 'permission_denied')
      return verdict
    },
    execute({ id, name, arguments: input }) {
      try {
        return { result: tools[name](input) }
      } catch (error) {
        failures.set(id, 'exception')
        throw error
      }
    },
    event(event) {
      if (event.type === 'run.started') {
        session('session_start')
        turn('turn_start', 0)
      } else if (event.type === 'model.started') turn('llm_start', ++iteration)
      else if (event.type === 'model.called') {
        turn('llm_complete', iteration)
        session('checkpoint_created')
        checkpoints++
      } else if (event.type === 'message.appended' && event.source === 'model')
        open = event.message.content.filter(part => part.type === 'tool-call').length
      else if (event.type === 'tool.started') turn('tool_execution_start', iteration, event.input.name)
      else if (event.type === 'tool.ended') {
        const call = nameOf(event, lines)
        const errorKind = failures.get(event.callId)
        const outcome = [errorKind === undefined, ...(errorKind === undefined ? [] : [errorKind])]
        if (errorKind !== 'permission_denied') turn('tool_execution_complete', iteration, call, ...outcome)
        turn('tool_result', iteration, call, ...outcome)
        toolResults.push({
          result: errorKind === undefined ? JSON.parse(event.message.content[0].text).result : null,
          errorKind,
        })
        if (--open === 0) turn('messages_updated', iteration)
      }
    },
  })
  const status = result.status === 'completed' ? 'success' : 'error'
  if (result.status === 'failed')
    turn('error', result.turns, result.error.code === 'limit-reached' ? 'max_iterations' : 'exception')
  turn('turn_end', result.turns, status)
  session('session_end', status)
  lines.push(`summary:${sessionId}:${status}:turns=1:checkpoints=${checkpoints}`)
  return lines

  /** Returns the name of the tool that the vector called. */
  function nameOf({ error }) {
    if (error?.code === 'tool-denied') return error.tool
    return lines.findLast(line => line.startsWith('turn:tool_execution_start:'))?.split(':')[3]
  }
}
