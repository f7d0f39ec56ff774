import { toolError, type Tool, type ToolOutcome } from '@parley/core'
import { defineReadTool } from '../define-built-in.ts'
import { readTool } from '../files/read-tool.ts'
import type { InferInput } from '../infer-input.ts'
import type { Workspace } from '../workspace/workspace.ts'

const input = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'Name of the skill.' },
    path: { type: 'string', description: "Path of a file, relative to the skill's folder. Default: SKILL.md." },
    offset: { type: 'integer', minimum: 1, description: 'First line to read, counted from 1. Default: 1.' },
    limit: { type: 'integer', minimum: 1, maximum: 10_000, description: 'Maximum number of lines. Default: 2000.' },
  },
  required: ['name'],
  additionalProperties: false,
} as const

/** The tool `read_skill`, which reads files in the folder of a skill and nothing outside it. */
export function readSkillTool(folders: ReadonlyMap<string, Workspace>): Tool<InferInput<typeof input>, ToolOutcome> {
  const readers = new Map([...folders].map(([name, folder]) => [name, readTool(folder)]))
  return defineReadTool({
    name: 'read_skill',
    description:
      'Reads the SKILL.md of a skill, or another file of its folder, as `read` does: 50 KB of lines at a time.',
    input,
    timeoutMs: 30_000,
    execute: async ({ name, path = 'SKILL.md', ...window }, context) => {
      const reader = readers.get(name)
      if (reader === undefined)
        return toolError(`There is no skill '${name}'. Skills: ${[...readers.keys()].join(', ')}.`)
      const outcome = await reader.execute({ path: path.replace(/^\{baseDir\}\//, ''), ...window }, context)
      if (outcome.type !== 'error' || outcome.error?.code !== 'path-refused') return outcome
      const { error } = outcome
      // The workspace's own message names tools and a root that the model does not have here.
      return toolError(
        `Cannot read '${error.path}' of the skill '${name}' (${error.reason}). Paths are relative to the skill's folder; its SKILL.md says what is in it.`,
        { error },
      )
    },
  })
}
