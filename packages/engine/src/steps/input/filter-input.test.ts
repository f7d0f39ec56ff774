import { messageText, userMessage, type InputFilter, type InputVerdict } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { eventsOf, setup } from '../../runtime/__fixtures__/set-up-agent.ts'

function filter(name: string, check: (text: string) => InputVerdict | Promise<InputVerdict>): InputFilter {
  return { name, check: message => check(messageText(message)) }
}
const noSecrets = filter('secrets', text =>
  text.includes('password') ? { type: 'reject', reason: 'a secret' } : 'pass',
)

function textsSent({ model }: ReturnType<typeof setup>, call = 0): string[] {
  return (model.requests[call]?.messages ?? []).map(messageText)
}

describe('an input filter', () => {
  it('an input filter that passes leaves the message unchanged', async () => {
    const given = setup(['Hi.'], { inputFilters: [filter('f', () => 'pass')] })
    expect(await given.run('hello').result).toMatchObject({ status: 'completed' })
    expect(textsSent(given)).toEqual(['hello'])
  })

  it('an input filter that rejects ends the run without a model call, and the message is not stored', async () => {
    const given = setup(['Hi.'], { inputFilters: [noSecrets] })
    const run = given.run('my password is x')
    const events = await eventsOf(run)
    expect(await run.result).toMatchObject({ status: 'rejected', filter: 'secrets', reason: 'a secret', messages: [] })
    expect(given.model.requests).toHaveLength(0)
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'input.filtered', source: 'input', filter: 'secrets', verdict: 'reject' }),
    )
    expect(JSON.stringify(events)).not.toContain('my password')
  })

  it('an input filter that warns adds its warning after the message', async () => {
    const warn = (name: string) => filter(name, () => ({ type: 'warn', warning: `${name} is unsure` }))
    const given = setup(['Hi.'], { inputFilters: [warn('a'), warn('b')] })
    await given.run('hello').result
    expect(given.model.requests[0]?.messages[0]).toMatchObject({
      content: [{ text: 'hello' }, { text: '[Warning: a is unsure]' }, { text: '[Warning: b is unsure]' }],
    })
  })

  it('an input filter that replaces passes its message to the next filter and the model', async () => {
    const seen: string[] = []
    const mask = filter('mask', text => ({ type: 'replace', message: text.replace('Ada', '[name]') }))
    const whole = filter('whole', text => ({ type: 'replace', message: userMessage(`${text}!`), reason: 'louder' }))
    const look = filter('look', text => {
      seen.push(text)
      return 'pass'
    })
    const given = setup(['Hi.'], { inputFilters: [mask, whole, look] })
    await given.run('I am Ada').result
    expect(seen).toEqual(['I am [name]!'])
    expect(textsSent(given)).toEqual(['I am [name]!'])
  })

  it.each([
    ['throws', () => Promise.reject(new Error('no classifier')), 'the filter failed'],
    ['returns no verdict', () => undefined as never, 'the filter gave no verdict'],
  ] as const)('an input filter that %s rejects the message', async (_, check, reason) => {
    const given = setup(['Hi.'], { inputFilters: [filter('broken', check)] })
    expect(await given.run().result).toMatchObject({ status: 'rejected', filter: 'broken', reason })
  })

  it('the words of an error that an input filter throws are in the journal for the owner, not in the reason', async () => {
    const given = setup(['Hi.'], { inputFilters: [filter('broken', () => Promise.reject(new Error('sk-secret')))] })
    const run = given.run()
    const events = []
    for await (const event of run) events.push(event)
    const filtered = { type: 'input.filtered', filter: 'broken', detail: 'the filter failed' }
    const error = { code: 'internal', detail: 'sk-secret' }
    expect(events).toContainEqual(expect.objectContaining({ ...filtered, error }))
    expect(JSON.stringify(await run.result)).not.toContain('sk-secret')
  })

  it('an input filter can reject a steering message, and the run continues', async () => {
    const gate = Promise.withResolvers<void>()
    const given = setup([{ until: gate.promise, text: 'Hi.' }, 'And more.'], { inputFilters: [noSecrets] })
    const run = given.run('hello')
    await expect(run.steer('password')).rejects.toThrow("The input filter 'secrets' rejected the message: a secret")
    await expect(run.followUp('the password again')).rejects.toThrow('a secret')
    await run.followUp('go on')
    gate.resolve()
    expect(await run.result).toMatchObject({ status: 'completed', text: 'And more.' })
    expect(textsSent(given, 1)).toEqual(['hello', 'Hi.', 'go on'])
  })

  it('a cancel does not wait for an input filter, and the message does not join', async () => {
    const given = setup(['Hi.'], { inputFilters: [filter('slow', () => new Promise<never>(() => {}))] })
    const run = given.run('hello')
    await given.clock.advance(1)
    await run.cancel({ kind: 'user' })
    expect(await run.result).toMatchObject({ status: 'cancelled', messages: [] })
    expect((await eventsOf(run)).map(event => event.type)).toEqual([
      'run.started',
      'input.filtered',
      'cancel.requested',
      'run.ended',
    ])
  })
})
