import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Agent } from '@parley/engine'
import type { ReplayReport, RunRecording } from '@parley/evals/recordings'

/** What the process that tests one commit is told. */
export interface StepOrder {
  readonly recording: RunRecording
  /** Path of the module with the agents. */
  readonly agents: string
  /** File for the result. */
  readonly result: string
}

/** What was found with one commit. */
export type StepResult = ReplayReport | { readonly result: 'skipped'; readonly reason: string }

/** Tests one commit, in a process of its own: the modules of another commit must not be in memory. */
export async function replayStep(file: string): Promise<void> {
  const { recording, agents: path, result } = JSON.parse(readFileSync(file, 'utf8')) as StepOrder
  writeFileSync(result, JSON.stringify(await test(recording, path)))
}

async function test(recording: RunRecording, path: string): Promise<StepResult> {
  if (!existsSync(path)) return { result: 'skipped', reason: 'the file of the agents is missing' }
  try {
    const agents = await loadAgents(path)
    const { replayRun } = await import('@parley/evals/recordings')
    return await replayRun(recording, agents)
  } catch (error) {
    return { result: 'skipped', reason: error instanceof Error ? error.message : String(error) }
  }
}

/** The agents that a module exports: alone, in lists or in objects. */
async function loadAgents(path: string): Promise<readonly Agent[]> {
  const exported = (await import(pathToFileURL(path).href)) as Record<string, unknown>
  const agents = [...new Set(Object.values(exported).flatMap(itemsOf))].filter(isAgent)
  if (agents.length === 0) throw new Error('the module exports no agent')
  return agents
}

function itemsOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null || isAgent(value)) return [value]
  return Object.values(value)
}

function isAgent(value: unknown): value is Agent {
  if (typeof value !== 'object' || value === null || !('name' in value) || typeof value.name !== 'string') return false
  return 'model' in value || 'instructions' in value || 'tools' in value
}
