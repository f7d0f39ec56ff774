import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hintOf, nearestName } from './nearest-name.ts'

const NAMES = ['model', 'maxTokens', 'instructions', 'tools', 'toolTimeoutMs']

describe('nearestName', () => {
  it.each([
    ['modle', 'model'],
    ['max_tokens', 'maxTokens'],
    ['MAXTOKENS', 'maxTokens'],
    ['instruction', 'instructions'],
    ['tool', 'tools'],
    ['system', undefined],
    ['x', undefined],
  ])('nearestName(%j) is %j', (wanted, name) => {
    expect(nearestName(wanted, NAMES)).toBe(name)
  })

  it('nearestName finds a name with one changed letter among any others', () => {
    const name = fc.stringMatching(/^[a-z]{6,12}$/)
    fc.assert(
      fc.property(name, fc.nat(), fc.array(fc.stringMatching(/^[A-Z0-9]{30,40}$/)), (meant, place, others) => {
        const at = place % meant.length
        const typed = `${meant.slice(0, at)}0${meant.slice(at + 1)}`
        expect(nearestName(typed, [...others, meant])).toBe(meant)
      }),
    )
  })
})

describe('hintOf', () => {
  it('hintOf suggests the nearest name, or lists up to 30 known names', () => {
    expect(hintOf('modle', NAMES)).toBe("did you mean 'model'?")
    expect(hintOf('x', ['one', 'two'])).toBe("known: 'one', 'two'")
    expect(hintOf('x', [])).toBe('known: none')
    const many = Array.from({ length: 200 }, (_, at) => `tool_number_${at}`)
    expect(hintOf('x', many)).toMatch(/^known: 'tool_number_0', .*'tool_number_29' and 170 more$/)
  })
})
