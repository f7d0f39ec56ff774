import { defineTool } from '@parley/core'
import { agentTool, createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { defineWorkflow } from '@parley/workflow'

const usage = { input: 1, output: 1, reasoning: 0, cacheRead: 0, cacheWrite: 0 }
const CALLS_PER_ANSWER = 256
const NESTING = 100
/** A definition has at most 10,000 steps. */
const MOST_STEPS = 9_000

/** A map over items, a sequence of as many steps, and nested steps, beside plain sub-agent calls. */
export const workflows = {
  name: 'W12',
  title: 'Workflows',
  limit: 'as many calls of a sub-agent, made by the answers of a scripted model',
  axis: 'items',
  scales: { full: { points: [100, 1_000, 10_000] }, small: { points: [100, 1_000] } },
  sides: { parley: measureWorkflow, limit: measureSubAgents },
  curves: [
    { metric: 'branchUs', label: 'CPU µs per branch of one tool step' },
    { metric: 'branchOfTwoUs', label: 'CPU µs per branch of two tool steps' },
    { metric: 'stepUs', label: 'CPU µs per step of a sequence' },
  ],
  lines: [
    { name: 'branch of one tool step ÷ sub-agent call', value: ratio('branchUs'), atMost: 0.4 },
    { name: 'branch of two tool steps ÷ sub-agent call', value: ratio('branchOfTwoUs'), atMost: 0.4 },
    { name: 'growth exponent of a map', value: exponent('branchUs'), atMost: 1.1 },
    { name: 'growth exponent of a sequence', value: exponent('stepUs', MOST_STEPS), atMost: 1.1 },
  ],
}

function ratio(metric) {
  return read => read('parley', metric) / read('limit', 'callUs')
}

/** How the whole time grows from a tenth of the items to all of them. The cost of an item is that time divided by the items. */
function exponent(metric, most = Infinity) {
  return read => {
    const last = Number.isNaN(read('parley', metric, 10_000)) ? 1_000 : 10_000
    const growth = read('parley', metric, last) / read('parley', metric, last / 10)
    return 1 + Math.log(growth) / Math.log(Math.min(last, most) / (last / 10))
  }
}

const echo = defineTool({
  name: 'echo',
  description: 'Returns its input.',
  input: { type: 'object' },
  effect: 'read',
  execute: ({ value }) => value,
})
const echoStep = value => ({ type: 'tool', tool: 'echo', input: { value } })

async function measureWorkflow({ point: items }) {
  const steps = Array.from({ length: Math.min(items, MOST_STEPS) }, (_, index) => echoStep(index))
  const sides = {
    branchUs: runMap(items, [echoStep('{{item}}')]),
    branchOfTwoUs: runMap(items, [echoStep('{{item}}'), echoStep('{{result}}')]),
    stepUs: { agent: workflowOf(steps), count: steps.length },
    nestedUs: { agent: workflowOf([nested()]), count: NESTING },
  }
  const values = {}
  for (const [metric, side] of Object.entries(sides)) values[metric] = await microsecondsEach(side)
  return values
}

function runMap(count, steps) {
  const agent = workflowOf([{ type: 'map', over: 'list', reduce: 'collect', steps }], { inputs: { list: {} } })
  return { agent, count, variables: { list: Array.from({ length: count }, (_, index) => index) } }
}

function workflowOf(steps, fields = {}) {
  return defineWorkflow({ name: 'workflow', limits: { maxTokens: 1e9 }, steps, ...fields }, { tools: [echo] })
}

function nested() {
  let step = echoStep(1)
  for (let depth = 0; depth < NESTING; depth++) step = { type: 'parallel', steps: [step] }
  return step
}

async function measureSubAgents({ point: count }) {
  const model = (id, answer) => ({
    provider: 'bench',
    id,
    info: {},
    async *stream() {
      const finish = yield* answer()
      yield { type: 'usage', usage }
      yield { type: 'finish', reason: finish }
    },
  })
  async function* say() {
    yield { type: 'text.delta', text: 'ok' }
    return 'stop'
  }
  const sub = defineAgent({ name: 'sub', model: model('sub', say) })
  let left = 0
  async function* call() {
    if (left === 0) return yield* say()
    const calls = Math.min(CALLS_PER_ANSWER, left)
    for (let index = 0; index < calls; index++) {
      yield { type: 'tool-call', callId: `call_${left - index}`, name: 'sub', arguments: '{"task":"go"}' }
    }
    left -= calls
    return 'tool-calls'
  }
  const agent = defineAgent({
    name: 'caller',
    model: model('caller', call),
    tools: [agentTool(sub, { description: 'Answers.' })],
    toolExecution: 'parallel',
    limits: { maxTurns: 1e6, maxTokens: 1e9 },
  })
  return { callUs: await microsecondsEach({ agent, count, begin: () => (left = count) }) }
}

/** Runs an agent once to warm up and once to measure. @returns CPU time of the process, divided by `count`. */
async function microsecondsEach({ agent, count, variables, begin = () => {} }) {
  await runOnce()
  globalThis.gc?.()
  const before = process.cpuUsage()
  await runOnce()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count

  async function runOnce() {
    begin()
    const runtime = createRuntime({ agents: [agent], store: createMemoryStore() })
    const { status } = await runtime.run(agent.name, 'go', variables === undefined ? {} : { variables }).result
    if (status !== 'completed') throw new Error(`the run ended as ${status}`)
  }
}
