import { defineTool } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createRuntime, defineAgent, effectiveSystemPrompt, estimateTokens, renderTemplate } from '../../index.ts'

const template = {
  template:
    'You are {{role}}, assisting {{agent_id}} on {{runtime_id}} at {{current_time}}. {{available_tools}} {{user_locale}}',
  variables: ['role', 'agent_id', 'runtime_id', 'available_tools', 'user_locale'],
  required: ['role'],
}
const look = defineTool({ name: 'look', description: 'd', input: { type: 'object' }, execute: () => '' })

describe('the prompt of an agent without a runtime', () => {
  it('the public renderTemplate, estimateTokens and effectiveSystemPrompt give what the engine computes for a run', async () => {
    const model = scriptedModel(['ok', 'ok'])
    const other = defineAgent({ name: 'other', model })
    const output = { type: 'object', properties: { sum: { type: 'number' } } } as const
    const agent = defineAgent({
      name: 'a',
      model,
      instructions: [{ text: 'Be kind.' }, template],
      tools: [look],
      handoffs: [other],
    })
    for (const defined of [agent, { ...agent, output }]) {
      const variables = { role: 'clerk' }
      const runtime = createRuntime({ worker: 'w7', store: createMemoryStore(), agents: [defined] })
      const { startedAt } = await startOf(runtime.run('a', 'Hi.', { variables, instructions: 'Be brief.' }), runtime)
      const sent = model.requests
        .at(-1)
        ?.system.map(({ text }) => text)
        .join('\n\n')
      expect(effectiveSystemPrompt(defined, { runtimeId: 'w7', variables, instructions: 'Be brief.', startedAt })).toBe(
        sent,
      )
      expect(sent).toContain('["look","transfer_to_other"')
    }
  })

  it('renderTemplate renders built-in and user variables, and requires the required ones', () => {
    const context = { agentId: 'a', runtimeId: 'w', availableTools: ['look'], startedAt: 0 }
    expect(renderTemplate(template, { ...context, variables: { role: 'clerk', user_locale: 'de' } })).toBe(
      'You are clerk, assisting a on w at 1970-01-01T00:00:00Z. ["look"] de',
    )
    expect(() => renderTemplate(template, context)).toThrow("variables: the agent's instructions require 'role'")
    expect(() => renderTemplate({ template: '{{unknown}}' })).toThrow("template.template: uses 'unknown'")
    expect(() => renderTemplate(template, { variables: { role: 'r', x: 1 } })).toThrow('variables.x: is not a variable')
  })

  it('effectiveSystemPrompt returns plain instructions unchanged, and an empty text without instructions', () => {
    expect(effectiveSystemPrompt(defineAgent({ name: 'a', instructions: 'Help {{you}}.' }))).toBe('Help {{you}}.')
    expect(effectiveSystemPrompt(defineAgent({ name: 'a' }))).toBe('')
    const required = defineAgent({ name: 'a', instructions: template })
    expect(() => effectiveSystemPrompt(required)).toThrow("require 'role'")
  })

  it('estimateTokens counts texts and messages with the engine’s estimate or the given counter', async () => {
    const text = 'The committee will meet again on Thursday to settle the open questions.'
    expect(await estimateTokens(text)).toBeGreaterThan(9)
    expect(await estimateTokens(text)).toBeLessThan(20)
    const counter = { countText: () => 1, count: () => 7 }
    expect(await estimateTokens([{ role: 'user', content: [{ type: 'text', text }] }], counter)).toBe(7)
    expect(await estimateTokens([])).toBe(0)
  })
})

async function startOf(
  run: ReturnType<ReturnType<typeof createRuntime>['run']>,
  runtime: ReturnType<typeof createRuntime>,
) {
  await run.result
  const [record] = await runtime.runs({ sessionId: run.sessionId })
  return { startedAt: record?.startedAt ?? 0 }
}
