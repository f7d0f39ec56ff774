import { messageText, type Message } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { callAdd, eventsOf, setup } from '../runtime/__fixtures__/set-up-agent.ts'

const cut = (text: string) => ({ text, finish: 'length' as const })

describe('an answer that its length cut off', () => {
  it('is the answer, with its finish saying so, when nothing else is asked for', async () => {
    const given = setup([cut('Once upon')])
    expect(await given.run().result).toMatchObject({
      status: 'completed',
      finish: 'length',
      text: 'Once upon',
      turns: 1,
    })
  })

  it('is gone on with until it is whole; its text is the parts together', async () => {
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
      'Go on exactly where it stopped',
    )
  })

  it.each([
    ['is gone on with by an agent without tools, where the policy is auto', { tools: [] }, 'Once upon'],
    ['is the answer of one that has tools', {}, 'Once '],
    ['is the answer of one that may hand over', { tools: [], handoffs: ['b'] }, 'Once '],
  ])('%s', async (_, agent, text) => {
    const given = setup([cut('Once '), 'upon'], { onTruncated: 'auto', ...agent })
    expect(await given.run().result).toMatchObject({ status: 'completed', text })
  })

  it('is gone on with as often as an automatic policy says', async () => {
    const given = setup(() => cut('x'), { onTruncated: { policy: 'auto', attempts: 1 }, tools: [] })
    expect(await given.run().result).toMatchObject({ finish: 'length', text: 'xx', turns: 2 })
  })

  it('is gone on with as often as the policy says, then it is the answer', async () => {
    const given = setup(() => cut('x'), { onTruncated: { policy: 'continue', attempts: 2 } })
    expect(await given.run().result).toMatchObject({ finish: 'length', text: 'xxx', turns: 3 })
    expect(await setup(() => cut('x'), { onTruncated: 'continue' }).run().result).toMatchObject({ turns: 4 })
  })

  it('keeps what was thought about each part, and the model sees it when it goes on', async () => {
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

  it('is not gone on with when there is nothing to go on from', async () => {
    const given = setup([cut('  ')], { onTruncated: 'continue' })
    expect(await given.run().result).toMatchObject({ finish: 'length', turns: 1 })
  })

  it('is only its own parts, not what was said before', async () => {
    const given = setup([cut('One, '), 'two.', cut('Three, '), 'four.'], { onTruncated: 'continue' })
    const run = given.run()
    await run.followUp('and then?')
    expect(await run.result).toMatchObject({ text: 'Three, four.' })
  })

  it('and went on to call a tool is only what came after it', async () => {
    const given = setup([cut('Let me '), { text: 'add.', ...callAdd }, 'Three.'], { onTruncated: 'continue' })
    expect(await given.run().result).toMatchObject({ text: 'Three.', turns: 3 })
  })

  it('is thrown away and asked for again: the next call does not see it', async () => {
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

  it('is asked for again as often as the policy says, each answer anew', async () => {
    const given = setup(() => cut('x'), { onTruncated: { policy: 'retry', attempts: 1 } })
    const run = given.run()
    await run.followUp('again')
    expect(await run.result).toMatchObject({ finish: 'length', text: 'x', turns: 4 })
    expect(given.model.requests.map(({ messages }) => messages.length)).toEqual([1, 1, 3, 3])
  })

  it('counts against the limit of turns', async () => {
    const given = setup(() => cut('x'), { onTruncated: 'retry', limits: { maxTurns: 2 } })
    expect(await given.run().result).toMatchObject({ status: 'limit', turns: 2 })
  })

  it('runs the calls it holds that are whole, and tells of the one that is not', async () => {
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
    ['twice', "agents.a.onTruncated: is 'twice', it must be return, continue, retry or auto"],
    [{ policy: 'retry', attempts: 0 }, 'agents.a.onTruncated.attempts: is 0'],
  ])('has no policy %j', (onTruncated, message) => {
    expect(() => setup([], { onTruncated: onTruncated as never })).toThrow(message)
  })
})
