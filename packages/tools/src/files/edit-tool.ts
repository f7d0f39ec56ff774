import { toolError, toolOk, type Tool, type ToolOutcome } from '@parley/core'
import { defineBuiltIn } from '../define-built-in.ts'
import type { InferInput } from '../infer-input.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { applyEdits, type Edit, type EditResult } from './apply-edits.ts'
import { sniffContent } from './sniff-content.ts'

const input = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Path of the file, relative to the workspace root.' },
    edits: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      description: 'Applied one after the other, each to the result of the one before; all of them or none.',
      items: {
        type: 'object',
        properties: {
          oldText: { type: 'string', description: 'Text in the file, exactly, with enough around it to occur once.' },
          newText: { type: 'string', description: 'The replacement; empty to remove oldText.' },
          replaceAll: { type: 'boolean', description: 'Replace every occurrence. Default: false.' },
        },
        required: ['oldText', 'newText'],
        additionalProperties: false,
      },
    },
  },
  required: ['path', 'edits'],
  additionalProperties: false,
} as const

const BYTE_ORDER_MARK = '\uFEFF'

/** The tool `edit`, which replaces parts of a text file, all of them or none. */
export function editTool(workspace: Workspace): Tool<InferInput<typeof input>, ToolOutcome> {
  return defineBuiltIn({
    name: 'edit',
    description:
      'Replaces text in a file. Each oldText must occur exactly once, as it stands in the file (without the line ' +
      'numbers that read shows), unless replaceAll is set. Line ends and byte-order mark of the file are kept.',
    effect: 'once',
    input,
    timeoutMs: 30_000,
    execute: async ({ path, edits }, { signal, run }) => {
      if (edits.length === 0) return toolError('edits is empty. Give at least one.')
      const plain = edits.map(({ oldText, newText, replaceAll = false }) => ({ oldText, newText, replaceAll }))
      let result: EditResult = { ok: false, reason: '' }
      const here = await workspace.forRun(run)
      const { shown } = await here.update(path, content => {
        signal.throwIfAborted()
        result = editContent(content, plain)
        return result.ok ? result.text : undefined
      })
      return toOutcome(shown, result)
    },
  })
}

function editContent(content: Buffer, edits: readonly Edit[]): EditResult {
  const kind = sniffContent(content)
  if (kind.type !== 'text') return { ok: false, reason: 'It is not a text file, and only text can be edited.' }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)
  } catch {
    return { ok: false, reason: 'It is not in UTF-8, so an edit would damage it.' }
  }
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
  const result = applyEdits(text.slice(mark.length), edits)
  return result.ok ? { ...result, text: mark + result.text } : result
}

function toOutcome(shown: string, result: EditResult): ToolOutcome {
  if (!result.ok) return toolError(`${shown} was not changed. ${result.reason}`)
  const { replacements } = result
  const total = replacements.reduce((sum, { count }) => sum + count, 0)
  const lines = replacements.map(({ line }) => line).join(', ')
  const text = `Changed ${shown}: ${total} ${total === 1 ? 'replacement' : 'replacements'} (first in line ${lines}).`
  return toolOk(text, { path: shown, replacements: total })
}
