import fc from 'fast-check'
import { createModelSummary, phiCompaction, slidingWindow, summarize, truncateOldest } from '@parley/context-policies'
import { messageText, userMessage, type ContextPolicy, type Message } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { isValidTranscript } from '../../journal.ts'
import { compactOnce, isDue, scopeOver, textsOf } from './__fixtures__/scope-over.ts'
import { viewOf } from '../../journal/overlay.ts'

const WINDOW = 2_000

/** Every policy, and the most tokens of one call that it allows in this window. */
const policies: readonly (readonly [ContextPolicy, number])[] = [
  [slidingWindow({ maxMessages: 8 }), 1_600],
  [slidingWindow(), 1_600],
  [truncateOldest(), 1_600],
  [truncateOldest({ maxTokens: 700 }), 700],
  [summarize({ maxSummaryTokens: 120, keepRecentTurns: 3 }), 1_600],
  [summarize({ maxTokens: 900, maxSummaryTokens: 60 }), 900],
  [phiCompaction({ systemPromptTokens: 0, maxSummaryTokens: 200, keepFirstTurns: 1, keepRecentTurns: 3 }), 1_700],
  [phiCompaction({ systemPromptTokens: 100, keepFirstTurns: 0, scope: 'token-budget', toolOutputMaxLines: 2 }), 1_610],
  [phiCompaction({ systemPromptTokens: 0, maxSummaryTokens: 150, summary: createModelSummary() }), 1_700],
]

const words = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.integer({ min: 1, max: 60 }).map(lines => 'line of output\n'.repeat(lines)),
  fc.integer({ min: 1, max: 400 }).map(length => 'x'.repeat(length)),
)
const said = fc.oneof(
  { weight: 4, arbitrary: words.map(text => [userMessage(text)]) },
  { weight: 1, arbitrary: words.map((content): Message[] => [{ role: 'system', content }]) },
  { weight: 4, arbitrary: words.map((text): Message[] => [{ role: 'assistant', content: [{ type: 'text', text }] }]) },
  { weight: 6, arbitrary: fc.array(words, { minLength: 1, maxLength: 3 }).map(toolTurnOf) },
)
const transcripts = fc
  .tuple(words, fc.array(said, { maxLength: 25 }))
  .map(([first, rest]) => withCallIds([userMessage(first), ...rest.flat()]))
const scenarios = fc.record({
  messages: transcripts,
  policy: fc.constantFrom(...policies),
  trigger: fc.constantFrom('due' as const, 'overflow' as const),
  runs: fc.array(fc.nat(25), { maxLength: 3 }),
})

function toolTurnOf(outputs: readonly string[]): Message[] {
  const name = 'look'
  const calls = outputs.map((_, index) => ({ type: 'tool-call' as const, callId: `${index}`, name, arguments: '{}' }))
  const results = outputs.map((text, index): Message => {
    return { role: 'tool', callId: `${index}`, name, content: [{ type: 'text', text }] }
  })
  return [{ role: 'assistant', content: calls }, ...results]
}

/** Makes call ids unique in the conversation. */
function withCallIds(messages: readonly Message[]): Message[] {
  let turn = 0
  return messages.map(message => {
    if (message.role === 'tool') return { ...message, callId: `${turn}-${message.callId}` }
    if (message.role !== 'assistant') return message
    turn += 1
    const content = message.content.map(part =>
      part.type === 'tool-call' ? { ...part, callId: `${turn}-${part.callId}` } : part,
    )
    return { ...message, content }
  })
}

interface Compacted {
  readonly before: readonly Message[]
  readonly after: readonly Message[]
  readonly changed: boolean
  readonly run: ReturnType<typeof scopeOver>
}

async function compactedBy({ messages, policy: [context], trigger, runs }: Scenario): Promise<Compacted> {
  // A run starts with a user message.
  const starts = runs.filter(start => messages[start]?.role === 'user').toSorted((a, b) => a - b)
  const run = scopeOver(messages, {
    context,
    contextWindow: WINDOW,
    instructions: 'Be brief.',
    runStarts: [0, ...starts],
  })
  const changed = (trigger === 'overflow' || isDue(run)) && (await compactOnce(run, { turn: 1, trigger }))
  return { before: messages, after: viewOf(run.state), changed, run }
}
type Scenario = typeof scenarios extends fc.Arbitrary<infer T> ? T : never

const always = (check: (compacted: Compacted, scenario: Scenario) => void | Promise<void>): Promise<void> =>
  fc.assert(
    fc.asyncProperty(scenarios, async scenario => {
      await check(await compactedBy(scenario), scenario)
    }),
    { numRuns: 300 },
  )

describe('every policy', () => {
  it('every policy leaves a valid transcript that begins with the user, and an unchanged log', async () => {
    await always(({ before, after, run }) => {
      expect(isValidTranscript(after)).toBe(true)
      expect(after.find(message => message.role !== 'system')?.role).toBe('user')
      expect(run.state.transcript.toArray()).toEqual(before)
    })
  })

  it('every policy keeps the newest message, calls with unread results, and every system message of the current run', async () => {
    await always(({ before, after, run }) => {
      const newest = before.findLast(({ role }) => role !== 'tool')
      expect(after).toContain(newest)
      const current = before.slice(run.state.context.runStarts.at(-1))
      const answer = current.findLastIndex(({ role }) => role === 'assistant')
      if (current[answer + 1]?.role === 'tool') expect(after).toContain(current[answer])
      for (const message of current) if (message.role === 'system') expect(after).toContain(message)
    })
  })

  it('a policy that has compacted has nothing left to do and is below its limit if that is possible', async () => {
    await always(async ({ after, changed, run }, { policy: [, limit] }) => {
      if (!changed) return
      expect(await compactOnce(run, { turn: 1, trigger: 'due' })).toBe(false)
      expect(viewOf(run.state)).toEqual(after)
      const tokens = run.prompt.view?.tokens() ?? 0
      if (tokens <= limit) {
        expect(isDue(run)).toBe(false)
        return
      }
      // The rest cannot be shortened: instructions, two summaries, unread messages and their request.
      const answer = after.findLastIndex(({ role }) => role === 'assistant')
      const unread = after[answer + 1]?.role === 'tool' ? answer : after.length - 1
      expect(after.filter(({ role }) => role === 'assistant').length).toBeLessThanOrEqual(1)
      expect(after.slice(0, unread).filter(({ role }) => role === 'user').length).toBeLessThanOrEqual(3)
    })
  })

  it('every policy records an entry from which the same view is restored', async () => {
    await always(({ after, changed, run }) => {
      if (!changed) return
      const restored = JSON.parse(JSON.stringify(run.state.context.overlay?.parts)) as NonNullable<
        typeof run.state.context.overlay
      >['parts']
      const log = run.state.transcript.toArray()
      const messages = restored.flatMap(part => (part.type === 'kept' ? log.slice(part.from, part.to) : part.messages))
      expect(textsOf(messages)).toEqual(textsOf(after))
      expect(messageText(messages.at(-1) as Message)).toBe(messageText(after.at(-1) as Message))
    })
  })
})
