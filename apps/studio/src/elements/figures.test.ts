import { expect, test } from 'vitest'
import { ago, dollars, duration, tokens } from './figures.ts'

test('duration chooses the unit that a person would use', () => {
  expect([0, 840, 12_400, 59_960, 185_000, 7_800_000, 400_000_000].map(duration)).toEqual([
    '0 ms',
    '840 ms',
    '12.4 s',
    '1 min 00 s',
    '3 min 05 s',
    '2 h 10 min',
    '4 days',
  ])
})

test('dollars keeps three digits below a dollar, and shows an unknown cost as a dash', () => {
  expect([undefined, 0, 0.003464, 0.00001234, 12.3456].map(dollars)).toEqual([
    '–',
    '$0',
    '$0.00346',
    '$0.00001',
    '$12.35',
  ])
})

test('tokens and ago are short', () => {
  expect([812, 12_400, 3_200_000].map(tokens)).toEqual(['812', '12.4k', '3.2M'])
  expect([0, 30_000, 300_000, 10_800_000, 172_800_000].map(past => ago(0, past))).toEqual([
    'now',
    '30 s ago',
    '5 min ago',
    '3 h ago',
    '2 d ago',
  ])
})
