import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ErrorInfo, Model } from '@parley/core'
import { scriptedModel, type ScriptStep } from '@parley/testing'
import { describeModelContract, type ModelScenario } from '@parley/testing/contract'
import { afterAll } from 'vitest'
import { ask } from './__fixtures__/ask.ts'
import { recordModel, replayModel } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-contract-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A model that does what a scenario says. */
function modelOf(scenario: ModelScenario): Model {
  return scriptedModel(() => stepOf(scenario), { provider: 'acme', id: 'm' })
}

function stepOf({ status, text, toolCalls, usage, ending }: ModelScenario): ScriptStep {
  const pieces = text.map(piece => ({ type: 'text.delta' as const, text: piece }))
  const failure = (code: 'model-rate-limited' | 'model-stream'): ErrorInfo => ({ code, provider: 'acme', detail: '' })
  if (status === 429) return { events: [], error: failure('model-rate-limited') }
  if (ending === 'silent') return { events: [], hang: true }
  if (ending === 'stalled') return { events: pieces.slice(0, 1), hang: true }
  if (ending === 'cut') return { events: pieces.slice(0, 1), error: failure('model-stream') }
  return {
    events: [
      ...pieces,
      ...toolCalls.map(call => ({ type: 'tool-call' as const, ...call })),
      { type: 'usage', usage: { input: usage.input, output: usage.output, reasoning: 0, cacheRead: 0, cacheWrite: 0 } },
      { type: 'finish', reason: toolCalls.length > 0 ? 'tool-calls' : 'stop' },
    ],
  }
}

let files = 0
const nextFile = (): string => join(folder, `${++files}.jsonl`)

describeModelContract('recordModel', { open: scenario => ({ model: recordModel(modelOf(scenario), nextFile()) }) })

for (const timing of ['instant', 'recorded'] as const)
  describeModelContract(`replayModel with ${timing} timing`, {
    async open(scenario) {
      const file = nextFile()
      const recorder = recordModel(modelOf(scenario), file)
      // A test asks at most three times.
      for (let call = 0; call < 3; call++) await ask(recorder, scenario.request, AbortSignal.timeout(20))
      return { model: replayModel(file, { timing }) }
    },
  })
