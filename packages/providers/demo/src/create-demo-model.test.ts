import { defineTool, messageText, type Message, type Tool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { describe, expect, it } from 'vitest'
import { createDemoModel } from './create-demo-model.ts'

const README = '# House\n\n| package | what |\n|---|---|\n| a | one |\n| b | two |\n| c | three |\n\nEnd.\n'
const text = (name: string): Tool['input'] => ({
  type: 'object',
  properties: { [name]: { type: 'string' } },
  required: [name],
})

const calculator = defineTool({
  name: 'calculator',
  description: 'Sums.',
  input: text('expression'),
  execute: input => `<${(input as { expression: string }).expression}>`,
})
const read = defineTool({
  name: 'mcp__files__read_text_file',
  description: 'Reads.',
  input: text('path'),
  execute: input => {
    if ((input as { path: string }).path === 'README.md') return README
    throw new Error('no such file')
  },
})
const time = defineTool({
  name: 'current_time',
  description: 'Clock.',
  input: { type: 'object' },
  execute: () => '2026-01-01',
})

async function ask(
  question: string,
  { tools = [calculator, read, time] as readonly Tool[], history = [] as Message[] } = {},
) {
  const agent = defineAgent({ name: 'demo', model: createDemoModel(), tools })
  const result = await createRuntime().invoke(agent, question, { history })
  const calls = result.messages.flatMap(message =>
    message.role === 'assistant'
      ? message.content.flatMap(part => (part.type === 'tool-call' ? [`${part.name} ${part.arguments}`] : []))
      : [],
  )
  return { answer: result.text, calls, result }
}

describe('the demo model', () => {
  it.each([
    ['What is 12 * (3 + 4)?', '12 * (3 + 4)'],
    ['what is 7 plus 8', '7 + 8'],
    ['12 squared', '12 ^2'],
    ['Please compute 10 divided by 4 for me', '10 / 4'],
  ])('the demo model calculates “%s” with the calculator', async (question, expression) => {
    const { answer, calls } = await ask(question)
    expect(calls).toEqual([`calculator ${JSON.stringify({ expression })}`])
    expect(answer).toBe(`${expression} = <${expression}>.`)
  })

  it('the demo model reads a file, counts in it and calculates with the result', async () => {
    const { answer, calls } = await ask('How many packages are there, squared?')
    expect(calls).toEqual(['mcp__files__read_text_file {"path":"README.md"}', 'calculator {"expression":"3^2"}'])
    expect(answer).toBe('README.md lists 3 packages. 3^2 = <3^2>.')
  })

  it.each([
    ['How many packages does README.md list?', 'README.md lists 3 packages.'],
    ['How many headings are in README.md?', 'README.md lists 1 headings.'],
    ['Read README.md please', 'README.md begins:\n# House'],
    ['What time is it?', 'The clock says: 2026-01-01'],
    ['Read gone.txt', "That did not work: 'mcp__files__read_text_file' failed: no such file"],
  ])('the demo model answers “%s”', async (question, start) => {
    expect((await ask(question)).answer).toContain(start)
  })

  it.each(['Hello', 'Why is the sky blue?', '', '🙂'])(
    'the demo model describes itself when asked “%s”',
    async question => {
      const { answer, result } = await ask(question)
      expect(result.status).toBe('completed')
      expect(answer).toContain('offline demo model')
      expect(answer).toContain('OPENAI_API_KEY')
    },
  )

  it('the demo model answers the last question of a conversation', async () => {
    const first = await ask('What is 1 + 1?')
    const second = await ask('And 2 + 2?', { history: [...first.result.messages] })
    expect(second.answer).toBe('2 + 2 = <2 + 2>.')
    expect(messageText(second.result.messages[0] as Message)).toBe('What is 1 + 1?')
  })

  it.each(['Write a report of these findings: ["1 + 1 = 2.","It rains."]', 'Give a summary: 1 + 1 = 2.\nIt rains.'])(
    'the demo model repeats the findings of %j as a list',
    async question => {
      expect((await ask(question, { tools: [] })).answer).toBe('Report\n- 1 + 1 = 2.\n- It rains.')
    },
  )

  it.each([
    ['Send an e-mail to ann@example.org: It is on its way.', 'It is on its way.'],
    ['Please mail ann@example.org', 'Hello.'],
  ])('the demo model sends an e-mail for “%s”', async (question, words) => {
    const input = { type: 'object', required: ['to', 'text'] } as const
    const mail = defineTool({ name: 'send_mail', description: 'Sends.', input, execute: () => 'sent' })
    const { answer, calls } = await ask(question, { tools: [mail, read] })
    expect(calls).toEqual([`send_mail ${JSON.stringify({ to: 'ann@example.org', text: words })}`])
    expect(answer).toBe('The e-mail to ann@example.org is sent.')
  })

  it('the demo model says that it has no tool if the tool is missing', async () => {
    expect((await ask('1 + 1', { tools: [] })).answer).toContain('no calculator tool')
  })

  it('the demo model stops between words when it is cancelled', async () => {
    const agent = defineAgent({ name: 'demo', model: createDemoModel({ wordDelayMs: 5 }) })
    const run = createRuntime().run(agent, 'Hello')
    for await (const event of run) if (event.type === 'text.delta') void run.cancel()
    expect((await run.result).status).toBe('cancelled')
  })
})
