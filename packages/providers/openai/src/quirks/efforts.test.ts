import { describe, expect, it } from 'vitest'
import { effortFor, effortsOf, groqEfforts, openaiEfforts, openrouterEfforts, xaiEfforts } from './efforts.ts'

const LEVELS = ['off', 'minimal', 'low', 'medium', 'high'] as const
const wordsOf = (id: string, families: Parameters<typeof effortsOf>[1]): (string | undefined)[] =>
  LEVELS.map(level => effortFor(level, effortsOf(id, families)))
const none = undefined

describe('effortFor', () => {
  it.each([
    ['gpt-5', none, 'minimal', 'low', 'medium', 'high'],
    ['gpt-5-mini-2025-08-07', none, 'minimal', 'low', 'medium', 'high'],
    ['gpt-5.1', 'none', 'low', 'low', 'medium', 'high'],
    ['gpt-5.6', 'none', 'low', 'low', 'medium', 'high'],
    ['gpt-5-codex', none, 'low', 'low', 'medium', 'high'],
    ['gpt-5.1-codex-max', none, 'low', 'low', 'medium', 'high'],
    ['o3-mini', none, 'low', 'low', 'medium', 'high'],
    ['gpt-5-pro', none, 'high', 'high', 'high', 'high'],
    ['gpt-5.2-chat-latest', none, none, none, none, none],
    ['gpt-5-chat-latest', '', none, none, none, none],
    ['gpt-4.1-mini', '', none, none, none, none],
    ['ft:gpt-4o:me', '', none, none, none, none],
    ['my-deployment', 'none', 'low', 'low', 'medium', 'high'],
  ])('the efforts of %s at OpenAI have the right words', (id, ...words) => {
    expect(wordsOf(id, openaiEfforts)).toEqual(words)
  })

  it.each([
    ['openai/gpt-oss-120b', none, 'low', 'low', 'medium', 'high'],
    ['qwen/qwen3-32b', 'none', 'default', 'default', 'default', 'default'],
    ['deepseek-r1-distill-llama-70b', none, none, none, none, none],
    ['llama-3.3-70b-versatile', '', none, none, none, none],
  ])('the efforts of %s at Groq have the right words', (id, ...words) => {
    expect(wordsOf(id, groqEfforts)).toEqual(words)
  })

  it.each([
    ['grok-3-mini', none, 'low', 'low', 'high', 'high'],
    ['grok-3', '', none, none, none, none],
    ['grok-4-0709', none, none, none, none, none],
    ['grok-4-1-fast-non-reasoning', '', none, none, none, none],
    ['grok-4.3', 'none', 'low', 'low', 'medium', 'high'],
    ['grok-4.5', none, 'low', 'low', 'medium', 'high'],
  ])('the efforts of %s at xAI have the right words', (id, ...words) => {
    expect(wordsOf(id, xaiEfforts)).toEqual(words)
  })

  it('the efforts of OpenRouter have a word for every level', () => {
    expect(wordsOf('any/model', openrouterEfforts)).toEqual(['none', 'minimal', 'low', 'medium', 'high'])
  })
})
