import { describe, expect, it } from 'vitest'
import { compareResults, renderEvalHtml, renderEvalJunit, type CaseResult, type EvalResult } from '../../index.ts'

const hostile = `<script>alert("1")</script>&'`

function resultOf(scores: readonly (number | undefined)[], commit = 'abcdef1234567890'): EvalResult {
  const cases = scores.map((score, index): CaseResult => {
    const given =
      score === undefined ? { name: 'exact', error: 'no service' } : { name: 'exact', score, reason: hostile }
    return {
      id: `case-${index}`,
      input: hostile,
      expected: { a: 1 },
      status: score === undefined ? 'error' : score === 1 ? 'passed' : 'failed',
      scores: score === undefined ? {} : { exact: score },
      trials: [
        { trial: 1, runId: `run-${index}`, output: `out\u0000\uD800${index}`, durationMs: 1500, scores: [given] },
      ],
    }
  })
  const version = { commit, dirty: true }
  const [startedAt, endedAt] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 1, 0, 0, 2)]
  const facts = {
    format: 1,
    name: 'weather',
    runId: 'run',
    version,
    startedAt,
    endedAt,
    trials: 1,
    costUsd: 0.25,
  } as const
  return { ...facts, scorers: [{ name: 'exact', threshold: 1 }], cases, passed: false }
}

describe('the HTML report', () => {
  it('the HTML report is one page without scripts and addresses, whose values are escaped', () => {
    const page = renderEvalHtml([{ result: resultOf([0, 1, undefined]) }])
    expect(page).toMatch(/^<!doctype html>\s+<html lang="en">/)
    expect(page).not.toMatch(/<script|<link|src=|https?:|url\(/)
    expect(page).toContain('&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;&#38;&#39;')
    expect(page).toContain('abcdef1234 with changes · 2026-01-01 00:00 UTC')
    expect(page).toContain('no service')
    expect(page.match(/<details class="case"\s+open>/g)).toHaveLength(2)
    const tags = ['section', 'table', 'details', 'div', 'dl', 'span']
    const counts = (pattern: (tag: string) => string): readonly (number | undefined)[] =>
      tags.map(tag => page.match(new RegExp(pattern(tag), 'g'))?.length)
    expect(counts(tag => `<${tag}[ >]`)).toEqual(counts(tag => `</${tag}\\s*>`))
  })

  it('the HTML report shows how the scores differ, and that noise is noise', () => {
    const before = resultOf([0, 0, 0, 0, 0, 0, 0, 0, 1, undefined], 'base')
    const after = resultOf([1, 1, 1, 1, 1, 1, 1, 1, 1, 1])
    const page = renderEvalHtml([{ result: after, comparison: compareResults(before, after) }])
    expect(page).toContain('Compared with base with changes')
    expect(page).toMatch(/\+0\.89 \[\+0\.\d\d, \+1\.00\][\s\S]*9 \(1 not paired\)[\s\S]*>better</)
    const same = renderEvalHtml([{ result: after, comparison: compareResults(after, after) }])
    expect(same).toContain('>no difference<')
  })
})

describe('the JUnit report', () => {
  it('the JUnit report has a suite for each eval and a test for each case', () => {
    const xml = renderEvalJunit([resultOf([0, 1, undefined])])
    expect(xml).toContain('<testsuite name="weather" tests="3" failures="1" errors="1" skipped="0" time="2.000"')
    expect(xml).toContain('<testcase name="case-1" classname="weather" time="1.500"/>')
    expect(xml).toContain('<failure message="exact 0.00">')
    expect(xml).toContain('<error message="not scored">')
    expect(xml).toContain('exact: no service')
    expect(xml).toContain('&#60;script&#62;')
  })

  it('the JUnit report has no character that XML forbids', () => {
    // oxlint-disable-next-line no-control-regex -- these characters are looked for
    expect(renderEvalJunit([resultOf([0])])).not.toMatch(/[\u0000-\u0008\uD800-\uDFFF]/)
  })
})

describe('a comparison of results', () => {
  it('a comparison of results pairs the cases by their ids and names what it cannot pair', () => {
    const before = {
      ...resultOf([1, 0, 1, undefined]),
      scorers: [
        { name: 'exact', threshold: 1 },
        { name: 'old', threshold: 1 },
      ],
    }
    const after = resultOf([1, 1, 1, 1, 1])
    const { scorers, unpaired } = compareResults(before, { ...after, cases: after.cases.toReversed() })
    expect(scorers).toHaveLength(1)
    expect(scorers[0]).toMatchObject({ name: 'exact', cases: 3, verdict: 'too-few', unpaired: ['case-4', 'case-3'] })
    expect(scorers[0]?.difference).toBeCloseTo(1 / 3, 10)
    expect(unpaired).toEqual(['old'])
  })

  it('a comparison of results says worse, and needs stronger evidence if there are more scorers that differ', () => {
    const make = (values: readonly number[], scorers: readonly string[]): EvalResult => {
      const result = resultOf(values)
      const cases = result.cases.map(each => ({
        ...each,
        scores: Object.fromEntries(scorers.map(name => [name, each.scores['exact'] ?? 0])),
      }))
      return { ...result, cases, scorers: scorers.map(name => ({ name, threshold: 1 })) }
    }
    const [ones, zeros] = [
      [1, 1, 1, 1, 1, 1],
      [0, 0, 0, 0, 0, 0],
    ]
    const verdicts = (names: readonly string[]) =>
      compareResults(make(ones, names), make(zeros, names)).scorers.map(({ verdict }) => verdict)
    expect(verdicts(['a'])).toEqual(['worse'])
    expect(verdicts(['a', 'b'])).toEqual(['noise', 'noise'])
    expect(() => compareResults(resultOf([1]), resultOf([1]), { samples: 5 })).toThrow('compareResults.samples')
  })
})
