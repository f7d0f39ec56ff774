import { defineTool, messageText, toolError, userMessage, type Tool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel, type Script } from '@parley/testing'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { eventsOf, toldIn } from '../__fixtures__/set-up-agent.ts'
import { handWrittenLines, labelledLines } from './__fixtures__/labelled-lines.ts'
import { createMemoryVault, createPiiMask, PII_KINDS, type PiiMaskOptions } from './index.ts'
import { StreamMask } from './stream-mask.ts'
import { createTextMask } from './text-mask.ts'

const ANN = 'ann@example.org'

function masked(script: Script, options: PiiMaskOptions, makeTools: (pii: ReturnType<typeof createPiiMask>) => Tool[]) {
  const pii = createPiiMask(options)
  const model = scriptedModel(script)
  const agent = defineAgent({
    name: 'a',
    model,
    tools: makeTools(pii),
    inputFilters: [pii.inputFilter],
    middleware: [pii.middleware],
  })
  const runtime = createRuntime()
  return { pii, model, run: (input: string) => runtime.run(agent, input) }
}

/** Creates a tool that records its input and answers with another person's address. */
function mailer() {
  const sent: unknown[] = []
  const tool = defineTool({
    name: 'send',
    description: 'Sends.',
    input: z.object({ to: z.email(), copies: z.number().default(1) }),
    execute: (input, { progress }) => {
      sent.push(input)
      progress({ to: input.to })
      return { sent: input.to, from: 'ben@example.org' }
    },
  })
  return { sent, tool }
}

describe('a mask with a vault', () => {
  it('a mask with a vault gives protected tools the real values, and models, events and results placeholders', async () => {
    const { sent, tool } = mailer()
    const script = [{ toolCalls: [{ name: 'send', input: { to: '[EMAIL_1]' } }] }, 'Sent to [EMAIL_1].']
    const { pii, run, model } = masked(script, { vault: createMemoryVault() }, mask => [mask.protect(tool) as Tool])
    const running = run(`Write to ${ANN}, please.`)
    const events = await eventsOf(running)
    const result = await running.orThrow()

    expect(sent).toEqual([{ to: ANN, copies: 1 }])
    expect(messageText(model.requests[0]?.messages[0] ?? userMessage(''))).toBe('Write to [EMAIL_1], please.')
    expect(toldIn(model.requests[1])).toEqual(['{"sent":"[EMAIL_1]","from":"[EMAIL_2]"}'])
    expect(JSON.stringify([events, result, model.requests])).not.toMatch(/ann@|ben@/)
    expect(events.some(event => event.type === 'tool.progress')).toBe(true)
    expect(pii.restore(result.text, { sessionId: result.sessionId, scope: 'default' })).toBe(`Sent to ${ANN}.`)
  })

  it('a mask with a vault does not restore placeholders of another session', async () => {
    const { sent, tool } = mailer()
    const script = () => ({ toolCalls: [{ name: 'send', input: { to: '[EMAIL_1]' } }] })
    const vault = createMemoryVault()
    const first = masked([script(), 'x'], { vault }, mask => [mask.protect(tool) as Tool])
    await first.run(ANN).result
    const second = masked([script(), 'x'], { vault }, mask => [mask.protect(tool) as Tool])
    await second.run('to [EMAIL_1]').result
    expect(sent).toHaveLength(1)
    expect(toldIn(second.model.requests[1])[0]).toContain("The arguments of 'send' do not fit its schema")
  })

  it('a protected tool rejects invalid real values without revealing them', async () => {
    const { sent, tool } = mailer()
    const script = [{ toolCalls: [{ name: 'send', input: { to: '[PHONE_1]' } }] }, 'x']
    const { run, model } = masked(script, { vault: createMemoryVault() }, mask => [mask.protect(tool) as Tool])
    await run('Call +49 30 1234567').result
    expect(sent).toEqual([])
    expect(toldIn(model.requests[1])[0]).toContain('do not fit its schema')
    expect(JSON.stringify(model.requests)).not.toContain('1234567')
  })

  it('the mask covers the text of a failing tool', async () => {
    for (const fail of [() => toolError(`${ANN} bounced`), () => Promise.reject(new Error(`${ANN} bounced`))]) {
      const failing = defineTool({ name: 'send', description: 'F.', input: z.object({}), execute: fail })
      const script = [{ toolCalls: [{ name: 'send' }] }, 'x']
      const { run, model } = masked(script, {}, () => [failing as Tool])
      const events = await eventsOf(run('go'))
      expect(toldIn(model.requests[1])[0]).toContain('[EMAIL] bounced')
      expect(JSON.stringify(events)).not.toContain(ANN)
    }
  })
})

describe('a mask without a vault', () => {
  it('the mask covers a model’s text for every division into deltas', async () => {
    const { run } = masked([{ text: `Ask ${ANN} or +49 30 1234567.`, chunkSize: 3 }], {}, () => [])
    const running = run('go')
    const events = await eventsOf(running)
    expect((await running.orThrow()).text).toBe('Ask [EMAIL] or [PHONE].')
    expect(JSON.stringify(events)).not.toMatch(/ann@|1234567/)
  })

  it('the mask covers tool arguments, also while the model streams them', async () => {
    const { sent, tool } = mailer()
    const script = [{ toolCalls: [{ name: 'send', input: { to: ANN } }] }, 'x']
    const { run } = masked(script, {}, () => [tool as Tool])
    const events = await eventsOf(run('go'))
    expect(JSON.stringify(events)).not.toContain(ANN)
    expect(sent).toEqual([])
  })

  it('the input filter passes a message without personal data unchanged', async () => {
    const { run } = masked(['x'], {}, () => [])
    const events = await eventsOf(run('Nothing here.'))
    expect(events.some(event => event.type === 'input.filtered')).toBe(false)
  })

  it('restore without a vault and an unknown kind fail with config-invalid', () => {
    expect(() => createPiiMask().restore('', { scope: '', sessionId: '' })).toThrow(
      'piiMask.vault: is required by restore',
    )
    expect(() => createPiiMask({ kinds: ['name' as 'ip'] })).toThrow("piiMask.kinds: 'name' is unknown; known:")
  })
})

describe('masked text', () => {
  const lines = labelledLines().map(({ text }) => text)
  const line = fc.constantFrom(...lines)

  it('restore turns masked text back into exactly the original text', () => {
    fc.assert(
      fc.property(line, line, (a, b) => {
        const mask = createTextMask({ kinds: PII_KINDS, vault: createMemoryVault(), partition: 'p' })
        const text = `${a}\n${b}`
        expect(mask.restore(mask.mask(text))).toBe(text)
      }),
    )
  })

  it('StreamMask masks like the whole text for every division of the stream', () => {
    const mask = createTextMask({ kinds: PII_KINDS, vault: undefined, partition: '' })
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), fc.integer({ min: 1, max: 60 }), (parts, size) => {
        const text = parts.join('\n')
        const stream = new StreamMask(mask)
        let streamed = ''
        for (let at = 0; at < text.length; at += size) streamed += stream.add(text.slice(at, at + size))
        expect(streamed + stream.end()).toBe(mask.mask(text))
      }),
    )
  })

  it('StreamMask masks like the whole text if the released text is cut at any position of a value', () => {
    const mask = createTextMask({ kinds: PII_KINDS, vault: undefined, partition: '' })
    for (const { text: value } of handWrittenLines()) {
      const text = `${'x '.repeat(100)}\n${value}\n${'y '.repeat(200)}`
      const whole = mask.mask(text)
      for (let cut = 199; cut <= 202 + value.length; cut++) {
        const stream = new StreamMask(mask)
        // The mask holds 160 characters back, so that the first piece is released up to `cut`.
        const streamed = stream.add(text.slice(0, cut + 160)) + stream.add(text.slice(cut + 160)) + stream.end()
        expect({ value, cut, streamed }).toEqual({ value, cut, streamed: whole })
      }
    }
  })

  it('StreamMask releases text without spaces while it streams', () => {
    const stream = new StreamMask(createTextMask({ kinds: PII_KINDS, vault: undefined, partition: '' }))
    expect(stream.add('这是一个没有空格的很长的句子'.repeat(50)).length).toBeGreaterThan(500)
  })

  it('StreamMask masks a number that a preceding word marks as a phone number, at every position', () => {
    const mask = createTextMask({ kinds: PII_KINDS, vault: undefined, partition: '' })
    for (let before = 0; before < 340; before++) {
      const text = `${'x'.repeat(before)} call 4155552671 ${'y '.repeat(300)}`
      const stream = new StreamMask(mask)
      let streamed = ''
      for (const character of text) streamed += stream.add(character)
      expect(streamed + stream.end()).toBe(mask.mask(text))
    }
  })

  it('the same value has the same placeholder within one partition only', () => {
    const vault = createMemoryVault()
    const mask = (partition: string) => createTextMask({ kinds: PII_KINDS, vault, partition })
    expect(mask('a').mask(`${ANN} ben@example.org ${ANN}`)).toBe('[EMAIL_1] [EMAIL_2] [EMAIL_1]')
    expect(mask('b').mask('ben@example.org')).toBe('[EMAIL_1]')
    expect(mask('b').restore('[EMAIL_2]')).toBe('[EMAIL_2]')
  })
})
