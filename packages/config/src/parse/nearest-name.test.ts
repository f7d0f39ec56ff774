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
  ])('takes %s for %s', (wanted, name) => {
    expect(nearestName(wanted, NAMES)).toBe(name)
  })

  it('finds a name that one letter was changed in, among any others', () => {
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
  it('names the nearest, else those there are, of many the first', () => {
    expect(hintOf('modle', NAMES, 'none is')).toBe("did you mean 'model'?")
    expect(hintOf('x', ['one', 'two'], 'none is')).toBe("there are 'one', 'two'")
    expect(hintOf('x', [], 'none is')).toBe('none is')
    const many = Array.from({ length: 200 }, (_, at) => `tool_number_${at}`)
    expect(hintOf('x', many, 'none is')).toMatch(/^there are 'tool_number_0', .*'tool_number_29' and 170 more$/)
  })
})
