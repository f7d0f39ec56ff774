import { messageText, type Message } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { callAdd, eventsOf, setup } from '../runtime/__fixtures__/set-up-agent.ts'

const cut = (text: string) => ({ text, finish: 'length' as const })

describe('a truncated answer', () => {
  it('by default a truncated answer is returned with finish length', async () => {
    const given = setup([cut('Once upon')])
    expect(await given.run().result).toMatchObject({
      status: 'completed',
      finish: 'length',
      text: 'Once upon',
      turns: 1,
    })
  })

  it('with onTruncated continue the answer is continued until it is complete, and its text joins the parts', async () => {
    const given = setup([cut('Once '), cut('upon '), 'a time.'], { onTruncated: 'continue' })
    expect(await given.run().result).toMatchObject({
      status: 'completed',
      finish: 'stop',
      text: 'Once upon a time.',
      turns: 3,
    })
    expect(given.model.requests[2]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ])
    expect(messageText(given.model.requests[1]?.messages.at(-1) ?? { role: 'user', content: [] })).toContain(
      'Continue exactly where it stopped',
    )
  })

  it.each([
    ['is continued with the policy auto if the agent has no tools', { tools: [] }, 'Once upon'],
    ['is returned with the policy auto if the agent has tools', {}, 'Once '],
    ['is returned with the policy auto if the agent has handoffs', { tools: [], handoffs: ['b'] }, 'Once '],
  ])('a truncated answer %s', async (_, agent, text) => {
    const given = setup([cut('Once '), 'upon'], { onTruncated: 'auto', ...agent })
    expect(await given.run().result).toMatchObject({ status: 'completed', text })
  })

  it('the policy auto continues an answer at most attempts times', async () => {
    const given = setup(() => cut('x'), { onTruncated: { policy: 'auto', attempts: 1 }, tools: [] })
    expect(await given.run().result).toMatchObject({ finish: 'length', text: 'xx', turns: 2 })
  })

  it('the policy continue continues an answer at most attempts times and then returns it', async () => {
    const given = setup(() => cut('x'), { onTruncated: { policy: 'continue', attempts: 2 } })
    expect(await given.run().result).toMatchObject({ finish: 'length', text: 'xxx', turns: 3 })
    expect(await setup(() => cut('x'), { onTruncated: 'continue' }).run().result).toMatchObject({ turns: 4 })
  })

  it('a continued answer keeps the reasoning of each part, and the model receives it', async () => {
    const parts = [
      { ...cut('Once '), reasoning: 'A fairy tale.' },
      { text: 'upon.', reasoning: 'Nearly.' },
    ]
    const given = setup(parts, { onTruncated: 'continue' })
    const { messages } = await given.run().result
    const thoughtIn = (from: readonly Message[]) =>
      from.flatMap(({ content }) =>
        typeof content === 'string' ? [] : content.flatMap(part => (part.type === 'reasoning' ? part.text : [])),
      )
    expect(thoughtIn(given.model.requests[1]?.messages ?? [])).toEqual(['A fairy tale.'])
    expect(thoughtIn(messages)).toEqual(['A fairy tale.', 'Nearly.'])
  })

  it('an empty truncated answer is not continued', async () => {
    const given = setup([cut('  ')], { onTruncated: 'continue' })
    expect(await given.run().result).toMatchObject({ finish: 'length', turns: 1 })
  })

  it('the text of a continued answer contains only its own parts', async () => {
    const given = setup([cut('One, '), 'two.', cut('Three, '), 'four.'], { onTruncated: 'continue' })
    const run = given.run()
    await run.followUp('and then?')
    expect(await run.result).toMatchObject({ text: 'Three, four.' })
  })

  it('the text of a continued answer starts after its last tool call', async () => {
    const given = setup([cut('Let me '), { text: 'add.', ...callAdd }, 'Three.'], { onTruncated: 'continue' })
    expect(await given.run().result).toMatchObject({ text: 'Three.', turns: 3 })
  })

  it('with onTruncated retry the truncated answer is discarded and the next call does not contain it', async () => {
    const given = setup([cut('Onc'), 'Once upon a time.'], { onTruncated: 'retry' })
    const run = given.run()
    const events = await eventsOf(run)
    expect(await run.result).toMatchObject({
      finish: 'stop',
      text: 'Once upon a time.',
      turns: 2,
      usage: { output: 10 },
    })
    expect(given.model.requests[1]?.messages).toHaveLength(1)
    expect(events.filter(event => event.type === 'answer.discarded')).toMatchObject([{ turn: 1 }])
  })

  it('the policy retry repeats each answer at most attempts times', async () => {
    const given = setup(() => cut('x'), { onTruncated: { policy: 'retry', attempts: 1 } })
    const run = given.run()
    await run.followUp('again')
    expect(await run.result).toMatchObject({ finish: 'length', text: 'x', turns: 4 })
    expect(given.model.requests.map(({ messages }) => messages.length)).toEqual([1, 1, 3, 3])
  })

  it('the policy retry keeps a truncated answer that the model gives after a limit, because no other call follows', async () => {
    const script = [{ text: 'Adding.', ...callAdd }, cut('So far thr')]
    const given = setup(script, { onTruncated: 'retry', onLimit: 'answer', limits: { maxTurns: 1 } })
    const run = given.run()
    const events = await eventsOf(run)
    expect(await run.result).toMatchObject({ status: 'limit', partialText: 'So far thr', turns: 2 })
    expect(events.filter(event => event.type === 'answer.discarded')).toEqual([])
  })

  it('a repeated answer counts against the turn limit', async () => {
    const given = setup(() => cut('x'), { onTruncated: 'retry', limits: { maxTurns: 2 } })
    expect(await given.run().result).toMatchObject({ status: 'limit', turns: 2 })
  })

  it('a truncated answer runs its complete calls and reports the incomplete one', async () => {
    const calls = [
      { name: 'add', input: { a: 1 } },
      { name: 'add', arguments: '{"a": 1' },
    ]
    const given = setup([{ toolCalls: calls, finish: 'length' }, 'Done.'], { onTruncated: 'retry' })
    await given.run().result
    expect(given.model.requests[1]?.messages.slice(2).map(messageText)).toEqual([
      '2',
      expect.stringContaining('are not valid JSON'),
    ])
  })

  it.each([
    ['twice', "agents.a.onTruncated: is 'twice'; must be return, continue, retry or auto"],
    [{ policy: 'retry', attempts: 0 }, 'agents.a.onTruncated.attempts: is 0'],
  ])('defineAgent rejects onTruncated %j with the error %s', (onTruncated, message) => {
    expect(() => setup([], { onTruncated: onTruncated as never })).toThrow(message)
  })
})
