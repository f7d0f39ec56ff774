import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scriptedModel } from '@parley/testing'

const folder = mkdtempSync(join(tmpdir(), 'recordings-'))
const file = join(folder, 'oslo.jsonl')
const gpt = scriptedModel(['It is sunny in Oslo.'], { provider: 'openai', id: 'gpt-4.1' })

// #region record
import type { Model } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { recordModel, replayModel } from '@parley/evals/recordings'

const guide = (model: Model, instructions = 'Be brief.') => defineAgent({ name: 'guide', instructions, model })
const runtime = createRuntime()

// Once, with the real model: each call becomes a line of the file.
await runtime.invoke(guide(recordModel(gpt, file)), 'How is Oslo?')

// In every test, without the model:
console.log((await runtime.invoke(guide(replayModel(file)), 'How is Oslo?')).text) // → It is sunny in Oslo.

// A changed prompt has no recorded answer. The error shows the line that changed.
const failure = await runtime.invoke(guide(replayModel(file), 'Be long.'), 'How is Oslo?').then(() => '', String)
console.log(failure.includes('- Be brief.\n    + Be long.')) // → true
// #endregion

await runtime.close()
rmSync(folder, { recursive: true })
