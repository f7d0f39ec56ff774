import { ParleyError } from '@parley/core'
import { expect, it } from 'vitest'
import { defineConfig } from './define-config.ts'

it('defineConfig checks a configuration written in code, and does not replace environment references', () => {
  const data = { agents: { clerk: { model: 'demo', instructions: 'Say ${HOME}.' } } }
  expect(defineConfig(data).data).toEqual(data)
  const wrong = () => defineConfig({ agents: { clerk: { handoffs: ['clrk'], limits: { maxTurns: -1 } } } })
  expect(wrong).toThrow(ParleyError)
  expect(wrong).toThrow(
    /config: 2 problems:\n\(1\) agents\.clerk\.limits\.maxTurns is -1.*\n\(2\) agents\.clerk\.handoffs\[0\]/,
  )
})
