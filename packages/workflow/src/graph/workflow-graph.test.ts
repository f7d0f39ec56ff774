import { defineTool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { placeOf, stepOfCall } from '../compile/step-id.ts'
import { defineWorkflow, workflowGraph, workflowOf, type Workflow } from '../index.ts'

const say = (name?: string) =>
  ({ type: 'agent', agent: 'writer', prompt: 'in a {{tone}} tone', ...(name === undefined ? {} : { name }) }) as const
const workflow: Workflow = {
  name: 'report',
  inputs: { topics: {}, tone: { default: 'calm' } },
  steps: [
    { type: 'map', name: 'drafts', over: 'topics', steps: [{ type: 'tool', tool: 'look' }, say('summary')] },
    { type: 'map', name: 'checks', over: 'topics', steps: [{ type: 'tool', tool: 'look' }] },
    { type: 'parallel', name: 'both', steps: [say('a'), { type: 'sequence', steps: [say(), say()] }] },
    { type: 'if', condition: true, steps: [say()], else: [say('other')] },
    { type: 'repeat', name: 'polish', steps: [say()], until: true, maxTimes: 1 },
    { type: 'tool', tool: 'fails', name: 'risky', onFailure: { run: [say('rescue')] } },
  ],
}

describe('workflowGraph', () => {
  it('the id of each node is the place of the calls that execute the step', async () => {
    const look = defineTool({ name: 'look', description: 'd', input: { type: 'object' }, execute: () => 'seen' })
    const fails = defineTool({ ...look, name: 'fails', execute: () => Promise.reject(new Error('no')) })
    const writer = defineAgent({ name: 'writer', model: scriptedModel(() => 'text') })
    const agent = defineWorkflow(workflow as never, { agents: [writer], tools: [look, fails] }) as ReturnType<
      typeof defineAgent
    >
    const runtime = createRuntime({ agents: [agent], onUnreadFailure: () => {} })
    const places = new Set<string>()
    for await (const event of runtime.run('report', 'go', { variables: { topics: ['x'] } }))
      if (event.type === 'tool.started') places.add(placeOf(stepOfCall(event.callId)))
    const ids = new Set(workflowGraph(workflowOf(agent) as Workflow).nodes.map(({ id }) => id))
    // Each item of a map with several steps is a child run, which its own call starts. The last call ends the run.
    expect([...places].filter(place => !ids.has(place))).toEqual(['drafts[]', 'end'])
    expect(places.size).toBeGreaterThan(6)
  })

  it('edges join steps in order, containers with their first steps, and say when they are taken', () => {
    const { edges, nodes, inputSchema } = workflowGraph(workflow)
    const written = edges.map(({ from, to, label }) => `${from} > ${to}${label === undefined ? '' : ` (${label})`}`)
    expect(written).toContain('drafts > checks')
    expect(written).toContain('drafts > drafts[].0 (each)')
    expect(written).toContain('drafts[].0 > drafts[].summary')
    expect(written).toContain('checks > checks[] (each)')
    expect(written).toEqual(
      expect.arrayContaining(['both > both.a', 'both > both.1', 'both.1 > both.1.0', 'both.1.0 > both.1.1']),
    )
    expect(written).toEqual(expect.arrayContaining(['3 > 3.then.0 (then)', '3 > 3.else.other (else)']))
    expect(written).toContain('risky > risky!.rescue (on failure)')
    expect(nodes.find(({ id }) => id === 'both.1.0')).toEqual({
      id: 'both.1.0',
      type: 'agent',
      label: 'writer',
      parent: 'both.1',
    })
    expect(inputSchema).toMatchObject({ required: ['topics'], properties: { tone: { default: 'calm' } } })
  })

  it('workflowOf knows a copy of the agent, and no other agent', () => {
    const agent = defineWorkflow({ name: 'w', steps: [{ type: 'approval', prompt: 'Sure?' }] })
    expect(workflowOf({ ...agent, description: 'a copy' })?.name).toBe('w')
    expect(workflowOf(defineAgent({ name: 'a', model: scriptedModel([]) }))).toBeUndefined()
  })
})
