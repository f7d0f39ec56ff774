import { createId, type ModelSettings } from '@parley/core'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createRuntime, defineAgent, type Agent } from '../index.ts'
import { add } from '../runtime/__fixtures__/set-up-agent.ts'

describe('invalid definitions', () => {
  const model = scriptedModel([])
  it.each([
    ['limits.maxTurns', { limits: { maxTurns: 0 } }],
    ['limits.maxTurn', { limits: { maxTurn: 3 } }],
    ['onLimit', { onLimit: 'explode' }],
    ['toolExecution.batch', { toolExecution: { batch: 0 } }],
    ['limits.maxCost', { limits: { maxCost: 1 } }],
    ['toolTimeoutMs', { toolTimeoutMs: -1 }],
    ['contextWindow', { contextWindow: 0.5 }],
    ['toolDescriptions', { toolDescriptions: ['add'] }],
    ['toolDescriptions.add', { tools: [add], toolDescriptions: { add: ' ' } }],
    ['toolDescriptions.ad', { tools: [add], toolDescriptions: { ad: 'Adds numbers.' } }],
    ['tols', { tols: [] }],
    ['model', { model: {} }],
    ['toolExecution', { toolExecution: 'random' }],
    ['tools', { tools: add }],
    ['tools[1]', { tools: [add, { name: 'x' }] }],
    ['inputFilters[0]', { inputFilters: [() => 'pass'] }],
    ['middleware[0]', { middleware: [{ name: 'x' }] }],
    ['repairArguments', { repairArguments: 'yes' }],
    ['onApproval', { onApproval: 'ask me' }],
    ['onTruncated', { onTruncated: 'cry' }],
    ['queue.capacity', { queue: { capacity: 0.5 } }],
    ['instructions[0].template', { instructions: [{ template: '{{x}}' }] }],
    ['output', { output: { type: 'objekt' } }],
    ['retry.maxRetries', { retry: { maxRetries: -1 } }],
    ['retry.attempts', { retry: { attempts: 3 } }],
    ['settings.temprature', { settings: { temprature: 1 } }],
    ['settings.temperature', { settings: { temperature: 'hot' } }],
    ['settings.topP', { settings: { topP: 2 } }],
    ['settings.maxOutputTokens', { settings: { maxOutputTokens: 0 } }],
    ['settings.stopSequences', { settings: { stopSequences: [''] } }],
    ['settings.seed', { settings: { seed: 0.5 } }],
    ['settings.thinking', { settings: { thinking: 'hard' } }],
    ['settings.thinking', { settings: { thinking: { budgetTokens: -1 } } }],
    ['settings.cache', { settings: { cache: { ttl: '2h' } } }],
    ['settings.output', { settings: { output: 'xml' } }],
    ['settings.parallelToolCalls', { settings: { parallelToolCalls: 1 } }],
    ['settings.providerOptions', { settings: { providerOptions: { openai: 1 } } }],
  ])('defineAgent rejects an invalid %s and names its path', (path, fields) => {
    expect(() => defineAgent({ name: 'a', model, ...fields } as Agent)).toThrow(`agents.a.${path}: `)
  })

  it('defineAgent returns a valid agent unchanged', () => {
    const settings: ModelSettings = {
      maxOutputTokens: 10,
      temperature: 0,
      topP: 1,
      stopSequences: ['x'],
      seed: -1,
      thinking: { budgetTokens: 1 },
      cache: { system: true, ttl: '1h' },
      output: { name: 'x', schema: {} },
      parallelToolCalls: false,
      providerOptions: { openai: {} },
    }
    const agent = { name: 'a', model, settings }
    expect(defineAgent(agent)).toBe(agent)
  })

  it('createRuntime rejects an invalid tool schema', () => {
    const tool = { name: 't', description: 'd', input: { type: 'objekt' }, execute: () => 1 }
    expect(() => createRuntime({ agents: [{ name: 'a', model, tools: [tool] }] })).toThrow(
      'The input schema of \'t\' is invalid: /type: "objekt" is an unknown type',
    )
  })

  it('createRuntime rejects two agents, or two tools of an agent, with the same name', () => {
    const agent = { name: 'a', model }
    expect(() => createRuntime({ agents: [agent, agent] })).toThrow("two agents are named 'a'")
    expect(() => createRuntime({ agents: [{ ...agent, tools: [add, add] }] })).toThrow("two tools are named 'add'")
  })

  it.each([
    ['temperature', 'settings.temperature'],
    ['toolChoice', 'settings.toolChoice'],
    ['maxSteps', 'limits.maxTurns'],
    ['system', 'instructions'],
    ['prompt', 'instructions'],
    ['outputType', 'output'],
    ['guardrails', 'inputFilters'],
  ])('defineAgent hints for the unknown field %s at %s', (field, meant) => {
    const fields: object = { [field]: 'x' }
    expect(() => defineAgent({ name: 'a', model: scriptedModel([]), ...fields })).toThrow(
      `agents.a.${field}: is an unknown option; did you mean '${meant}'?`,
    )
  })

  it('run rejects an unknown agent and lists the known agents', () => {
    expect(() => createRuntime({ agents: [{ name: 'a', model }] }).run(createId(1), 'go')).toThrow('Known agents: a.')
  })
})
