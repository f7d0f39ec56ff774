import { ParleyError, type Json } from '@parley/core'
import { createRuntime } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { describe, expect, it } from 'vitest'
import { echo, stepParts, success } from '../__fixtures__/set-up-workflow.ts'
import { loadWorkflows, saveWorkflow, type Workflow } from '../index.ts'

const parts = stepParts().registry

async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    await call
  } catch (error) {
    if (ParleyError.is(error, 'config-invalid')) return error.message
    throw error
  }
  return 'accepted'
}

describe('saveWorkflow', () => {
  it('saveWorkflow increments the version only if the workflow has changed', async () => {
    await using store = createMemoryStore()
    const workflow: Workflow = { name: 'w', description: undefined, steps: [echo(1)] }
    expect(await saveWorkflow(store, workflow, { now: () => 5 })).toEqual({
      name: 'w',
      version: 1,
      definition: { name: 'w', steps: [echo(1)] },
      savedAt: 5,
    })
    expect(await saveWorkflow(store, { name: 'w', steps: [echo(1)] })).toMatchObject({ version: 1, savedAt: 5 })
    expect(await saveWorkflow(store, { name: 'w', steps: [echo(2)] })).toMatchObject({ version: 2 })
    expect(await store.workflows?.list({ scope: 'other' })).toEqual([])
  })

  it.each<[string, object, string]>([
    [
      'a function',
      { output: { type: 'object', check: () => true } },
      'workflows.w.steps[0].output.check: is a function',
    ],
    ['a date', { output: { default: [new Date(0)] } }, 'workflows.w.steps[0].output.default[0]: is a Date'],
    ['not a number', { output: { minimum: Number.NaN } }, 'workflows.w.steps[0].output.minimum: is NaN'],
    ['undefined in a list', { output: { enum: [undefined] } }, 'workflows.w.steps[0].output.enum[0]: is a undefined'],
    ['of an invalid type', { prompt: 1 }, 'workflows.w.steps[0].prompt:'],
  ])('saveWorkflow rejects a value that is %s, with its path', async (_, fields, words) => {
    await using store = createMemoryStore()
    const step = { type: 'agent', agent: 'a', prompt: 'p', ...fields }
    const workflow = { name: 'w', steps: [step] } as unknown as Workflow
    expect(await refusal(saveWorkflow(store, workflow))).toContain(words)
    expect(await store.workflows?.list({ scope: 'default' })).toEqual([])
  })

  it('saveWorkflow and loadWorkflows reject a store that cannot save workflows', async () => {
    const workflow: Workflow = { name: 'w', steps: [echo(1)] }
    expect(await refusal(saveWorkflow({ name: 'plain' }, workflow))).toContain(
      `store: the store 'plain' cannot save workflows`,
    )
    expect(await refusal(loadWorkflows({ name: 'plain' }))).toContain(`the store 'plain' cannot save workflows`)
  })
})

describe('loadWorkflows', () => {
  const inner: Workflow = { name: 'inner', inputs: { x: {} }, steps: [echo('{{x}}')] }
  const outer: Workflow = { name: 'outer', steps: [{ type: 'workflow', workflow: 'inner', inputs: { x: 7 } }] }

  async function openSaved(...workflows: readonly Workflow[]) {
    const store = createMemoryStore()
    for (const workflow of workflows) await saveWorkflow(store, workflow)
    return store
  }
  async function outputs(
    agents: Awaited<ReturnType<typeof loadWorkflows>>,
    name: string,
    variables?: Record<string, Json>,
  ) {
    const runtime = createRuntime({ agents })
    const result = await runtime.run(name, 'go', variables === undefined ? {} : { variables }).result
    return result.status === 'completed' ? result.output : result.status
  }

  it('loadWorkflows makes agents of saved workflows, which may name each other', async () => {
    await using store = await openSaved(outer, inner)
    const agents = await loadWorkflows(store, parts)
    expect(agents.map(({ name }) => name)).toEqual(['inner', 'outer'])
    expect(await outputs(agents, 'outer')).toEqual(success(7))
    expect(await outputs(agents, 'inner', { x: 'y' })).toEqual(success('y'))
    expect(await loadWorkflows(store, { ...parts, scope: 'other' })).toEqual([])
  })

  it('loadWorkflows makes agents only for the given names', async () => {
    await using store = await openSaved(outer, inner, { name: 'odd', steps: [{ type: 'tool', tool: 'nobody' }] })
    expect((await loadWorkflows(store, { ...parts, names: ['outer'] })).map(({ name }) => name)).toEqual(['outer'])
    expect(await refusal(loadWorkflows(store, { ...parts, names: ['x'] }))).toContain(
      `names: the workflow 'x' was not saved in the scope 'default'`,
    )
    expect(await refusal(loadWorkflows(store, parts))).toContain(
      `workflows.odd.steps[0].tool: the tool 'nobody' is unknown`,
    )
  })

  it('loadWorkflows takes the newest version, or the given one, with which older runs can be resumed', async () => {
    const first: Workflow = { name: 'w', steps: [{ type: 'approval', prompt: 'Go on?' }, echo('first')] }
    await using store = await openSaved(first)
    const load = async (versions?: Record<string, number>) =>
      createRuntime({ store, agents: await loadWorkflows(store, { ...parts, versions }) })
    const asked = await (await load()).run('w', 'go').result
    const approvalId = asked.status === 'suspended' ? (asked.approvals[0]?.approvalId ?? '') : ''
    await saveWorkflow(store, { ...first, steps: [{ type: 'approval', prompt: 'Go on?' }, echo('second')] })

    const changed = await (await load()).decide(asked.runId, approvalId, { decision: { type: 'approved' } })
    expect(await changed.result).toMatchObject({ status: 'failed', error: { code: 'config-invalid' } })
    const again = await (await load()).run('w', 'go').result
    const secondId = again.status === 'suspended' ? (again.approvals[0]?.approvalId ?? '') : ''
    const kept = await (await load({ w: 2 })).decide(again.runId, secondId, { decision: { type: 'approved' } })
    expect(await kept.result).toMatchObject({ output: success('second') })

    const old = await (await load({ w: 1 })).run('w', 'go').result
    const oldId = old.status === 'suspended' ? (old.approvals[0]?.approvalId ?? '') : ''
    const went = await (await load({ w: 1 })).decide(old.runId, oldId, { decision: { type: 'approved' } })
    expect(await went.result).toMatchObject({ output: success('first') })
  })

  it('loadWorkflows rejects versions and names that were not saved', async () => {
    await using store = await openSaved(inner)
    const versions = (given: Record<string, number>) => refusal(loadWorkflows(store, { ...parts, versions: given }))
    expect(await versions({ inner: 3 })).toContain('versions.inner: version 3 was not saved; the newest is 1')
    expect(await versions({ x: 1 })).toContain(`versions.x: the workflow 'x' was not saved`)
  })

  it('loadWorkflows rejects a definition that names an unknown workflow', async () => {
    await using store = await openSaved(outer)
    expect(await refusal(loadWorkflows(store, parts))).toContain(
      `workflows.outer.steps[0].workflow: the workflow 'inner' is unknown`,
    )
  })
})
