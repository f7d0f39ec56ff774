import { toolError, toolOk, type Tool, type ToolOutcome } from '@parley/core'
import { defineBuiltIn } from '../define-built-in.ts'
import type { InferInput } from '../infer-input.ts'
import type { Workspace } from '../workspace/workspace.ts'

const MAX_BYTES = 10_000_000

const input = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Path of the file, relative to the workspace root.' },
    content: { type: 'string', description: 'The whole new content.' },
    createDirectories: { type: 'boolean', description: 'Create missing directories of the path. Default: false.' },
  },
  required: ['path', 'content'],
  additionalProperties: false,
} as const

/** The tool `write`, which writes a whole file in one step. */
export function writeTool(workspace: Workspace): Tool<InferInput<typeof input>, ToolOutcome> {
  return defineBuiltIn({
    name: 'write',
    description:
      'Writes a whole text file (UTF-8) and replaces its old content. To change parts of a file use edit. Readers ' +
      'see the old content or the new one, never a part of it.',
    // Writing the same content again leaves the same file.
    effect: 'idempotent',
    input,
    timeoutMs: 30_000,
    execute: async ({ path, content, createDirectories = false }, { signal, run }) => {
      const bytes = Buffer.byteLength(content)
      if (bytes > MAX_BYTES) return toolError(`The content has ${bytes} bytes; the limit is ${MAX_BYTES}. Write less.`)
      if (!content.isWellFormed()) return toolError('The content is not valid Unicode text. Send it again.')
      signal.throwIfAborted()
      const here = await workspace.forRun(run)
      const { shown } = await here.write(path, content, { createDirectories })
      return toolOk(`Wrote ${bytes} bytes to ${shown}.`, { path: shown, bytes })
    },
  })
}
