import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineTool, ParleyError } from '@parley/core'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import type { ConfigRegistry } from '../compose/config-registry.ts'
import { standardRegistry } from '../standard/index.ts'
import { composeFile } from './compose-file.ts'

const calculator = defineTool({ name: 'calculator', description: 'd', input: { type: 'object' }, execute: () => '4' })

const REGISTRY: ConfigRegistry = {
  ...standardRegistry(),
  models: { demo: scriptedModel(['x']) },
  tools: [calculator],
}

/** The problems of a file, without its path. */
async function problemsOf(yaml: string, registry = REGISTRY): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-compose-'))
  const path = join(folder, 'a.yaml')
  await writeFile(path, yaml)
  try {
    await composeFile(path, registry, { environment: {} })
  } catch (error) {
    if (ParleyError.is(error, 'config-invalid')) return error.message.replaceAll(folder, '<folder>').split('\n')
    throw error
  } finally {
    await rm(folder, { recursive: true })
  }
  throw new Error('the configuration has no problem')
}

describe('composeFile', () => {
  it('composeFile lists all problems of a file: schema faults do not hide unknown names, missing files or options of parts', async () => {
    const said = await problemsOf(`
models:
  fast: { provider: mian, id: 5 }
middleware:
  guard: { type: loop-gaurd }
  again: { type: tool-retry, maxRetires: 2, factor: many }
mcpServers:
  fs: { comand: npx }
  other: {}
toolsets:
  files: { write: yes please }
agents:
  clerk:
    model: demo
    onLimit: halt
    tools: [5, calcualtor, files]
    middleware: [audit, guard]
    instructions: { file: missing.md }
  helper: { modle: demo }
  third: { model: fast }
  fourth: { model: dmeo, inputFilters: [polite] }
runtime: 5`)
    expect(said).toEqual([
      '<folder>/a.yaml: 17 problems:',
      '(1) line 3: models.fast.id is 5; must be a non-empty string',
      "(2) line 3: models.fast.provider names 'mian', which is missing in 'providers'; known: none",
      "(3) line 5: middleware.guard.type names the middleware type 'loop-gaurd', which is not registered; did you mean 'loop-guard'?",
      '(4) line 6: middleware.again.factor is a string; must be a number of at least 1',
      "(5) line 6: middleware.again.maxRetires is an unknown key; did you mean 'maxRetries'?",
      "(6) line 8: mcpServers.fs.comand is an unknown key; did you mean 'command'?",
      "(7) line 9: mcpServers.other must have 'command' or 'url'",
      '(8) line 11: toolsets.files.write is a string; must be true or false',
      "(9) line 15: agents.clerk.onLimit must be 'stop', 'fail' or 'answer'",
      '(10) line 16: agents.clerk.tools[0] is 5; must be a non-empty string',
      "(11) line 16: agents.clerk.tools[1] names the tool 'calcualtor', which is not registered; did you mean 'calculator'?",
      expect.stringContaining("(12) line 17: agents.clerk.middleware[0] names the middleware 'audit'"),
      expect.stringMatching(/^\(13\) line 18: agents\.clerk\.instructions\.file cannot be used: .*missing\.md/),
      "(14) line 19: agents.helper.modle is an unknown key; did you mean 'model'?",
      "(15) line 21: agents.fourth.model names the model 'dmeo', which is not registered; did you mean 'demo'?",
      expect.stringContaining("(16) line 21: agents.fourth.inputFilters[0] names the input filter 'polite'"),
      '(17) line 22: runtime is 5; must be an object',
    ])
  })

  it('composeFile reports a fault once, and not what follows from it', async () => {
    const said = await problemsOf(`
defaults: { model: 7 }
profiles: { careful: { modle: demo } }
agents:
  one: {}
  two: { profile: careful }
  three: { model: "\${MODEL}", agents: [{ agnet: one }] }`)
    expect(said).toEqual([
      '<folder>/a.yaml: 4 problems:',
      '(1) line 2: defaults.model is 7; must be a non-empty string',
      "(2) line 3: profiles.careful.modle is an unknown key; did you mean 'model'?",
      '(3) line 7: agents.three.model names the environment variable MODEL, which is not set',
      "(4) line 7: agents.three.agents[0].agnet is an unknown key; did you mean 'agent'?",
    ])
  })

  it('a registry without a service rejects its section and says what to do', async () => {
    const [said] = await problemsOf('agents: { a: { model: demo } }\nmcpServers: { fs: { command: npx } }', {
      models: REGISTRY.models,
    })
    expect(said).toMatch(/line 2: mcpServers cannot be used: .*standardRegistry\(\) of '@parley\/config\/standard'/)
  })
})
