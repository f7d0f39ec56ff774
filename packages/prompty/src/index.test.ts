import { expect, it } from 'vitest'
import * as root from './index.ts'
import * as node from './node/index.ts'

it('exports exactly this', () => {
  expect(Object.keys(root).sort()).toEqual([
    'createPrompty',
    'createSteering',
    'enrichModelInfo',
    'messageInputOf',
    'parseMessages',
    'parsePrompty',
    'renderSegments',
    'renderTemplate',
    'toModelInfo',
    'validateInputs',
  ])
  expect(Object.keys(node).sort()).toEqual(['createPrompty', 'nodeFiles'])
})
