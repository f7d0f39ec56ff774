import { defineTool, toolError, toolOk, type ArtifactStore, type JsonSchemaObject, type Tool } from '@parley/core'
import { cutAt } from './preview.ts'

export interface ReadArtifactOptions {
  readonly store: ArtifactStore
  /** Maximum characters of one piece. */
  readonly maxCharacters: number
}

const INPUT: JsonSchemaObject = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'The id shown in place of the text.' },
    offset: { type: 'integer', minimum: 0, description: 'The first character, from 0. Default 0.' },
    limit: { type: 'integer', minimum: 1, description: 'Maximum number of characters. Default: as many as allowed.' },
    search: { type: 'string', minLength: 1, description: 'Start where this text next occurs at or after offset.' },
  },
  required: ['id'],
  additionalProperties: false,
}

interface Input {
  readonly id: string
  readonly offset?: number
  readonly limit?: number
  readonly search?: string
}

/** The tool `read_artifact`, which returns offloaded texts of its own session. */
export function readArtifactTool({ store, maxCharacters }: ReadArtifactOptions): Tool {
  const tool = defineTool({
    name: 'read_artifact',
    description:
      'Reads a piece of a large tool result that was stored separately. Give the id, and an offset or a text to search for.',
    input: INPUT,
    effect: 'read',
    async execute(input, { run }) {
      // The engine has validated the input against the schema above.
      const { id, offset = 0, limit = maxCharacters, search } = input as Input
      const artifact = await store.get(run, id)
      if (artifact === undefined)
        return toolError(`There is no artifact '${id}'. Call the tool that returned the result again.`)
      const { text } = artifact
      const from = search === undefined ? offset : text.indexOf(search, offset)
      if (from < 0) return toolError(`'${search}' does not occur after character ${offset}.`)
      if (from >= text.length) return toolError(`The text ends at character ${text.length}.`)
      const start = cutAt(text, from)
      const wanted = Math.min(start + Math.min(limit, maxCharacters), text.length)
      // At least one whole character, so that reading always advances.
      const end = Math.max(cutAt(text, wanted), Math.min(start + 2, text.length))
      const rest = end < text.length ? `Continue with offset ${end}.` : 'This is the end.'
      return toolOk(`${text.slice(start, end)}\n[characters ${start} to ${end} of ${text.length}. ${rest}]`)
    },
  })
  return tool
}
